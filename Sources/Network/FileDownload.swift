import Blocks
import Framing
import Units

/// A file that is being played (R11): what is known of it, and where its download stands. The net thread's.
struct FileDownload {
  /// What is being done.
  enum Stage {
    /// A little of the file's head is read, to know where its seconds lie.
    case head
    /// A few packets are read here and there, since the head does not tell how long the rest is.
    case sample
    /// What comes goes into the ring.
    case window
  }

  var stage: Stage
  /// What is to be heard first.
  var goal: StreamTime
  /// Takes the packets from the file's first on, until a jump.
  var meter = FileMeter()
  /// Where its seconds lie; nil until that was needed.
  var map: FileMap?
  /// Its length in bytes.
  var byteCount: Int?
  /// What the server said of its version.
  var etag: String?
  var lastModified: String?
  /// How its bytes were coded, in a way that nobody knows and that changed nothing: they are audio.
  private let coding: String?
  /// How many of them are tags behind the sound, as far as that is known.
  var tail = 0
  /// The byte that comes next, tags counted.
  var nextByte = 0
  /// Where its packets are cut; it goes on over broken connections.
  var intake: StreamIntake?
  /// When the next packet sounds; nil before a window's first.
  var clock: StreamTime?
  /// What of the window is to be heard; right once it has started.
  var heard = StreamTime.zero..<StreamTime(ticks: .max)
  /// When its first moment sounds, or would, in the programme that it follows in, and when its first packet does; nil
  /// where it began one.
  var place: FilePlace?
  /// Whether that is to the packet, and no guess.
  var isTimed = false
  /// The window's first packet, and when it sounds by a guess; nil where that is known.
  private(set) var guess: CountedPlaces.Place?
  /// Places of which it was known to the packet.
  private var counted = CountedPlaces()
  /// What its tags call it.
  var title: OutsideTitle?
  /// Whether to read costs next to nothing.
  var isLocal = false
  /// Whether a packet of this window is in the ring.
  var hasStarted = false
  /// Whether it was told to those who wait for it.
  var isAnnounced = false
  /// Parts of the head that were asked for.
  var headParts = 0
  /// Tags of the head that were passed over unread.
  var passedTags = 0
  /// Places from which packets were read.
  var samples = 0
  /// The length that was told last.
  var toldLength: StreamTime?
  /// Answers in a row that ended too early and brought nothing new.
  var barrenEnds = 0

  /// A part of the head: enough for the figures of any encoder, and for sixteen packets of most.
  static let headPartByteCount = 8_192
  /// A head longer than so many parts, tags not counted, has no packets.
  static let mostHeadParts = 16
  /// A head with more tags than this, each too long to be read, is no audio.
  static let mostPassedTags = 16
  /// What is read at a place, and at how many.
  static let samplePartByteCount = 4_096
  static let mostSamples = 3
  /// So many answers that end at the same byte say that the file does.
  static let mostBarrenEnds = 3
  /// What the kernel may take of a file before anybody asked for it.
  static let receiveBuffer = 16_384
  /// What a decoder hears before its output is right, and a packet that is found a little late.
  static let runUp = StreamTime(seconds: 0.45)

  /// A file whose first answer began with `head`.
  init(_ stage: Stage, goal: StreamTime, head: HttpHead) {
    self.stage = stage
    self.goal = goal
    etag = head.etag
    lastModified = head.lastModified
    coding = head.coding
    let total = head.contentRangeTotal ?? (head.contentRangeStart == nil ? head.contentLength : nil)
    byteCount = total.flatMap { Int(exactly: $0) }
  }

  /// What makes sure that the rest is of the same version (RFC 9110, 13.1.5): a weak tag does not.
  var validator: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? lastModified }

  /// Where its seconds lie, as far as that is known now.
  var currentMap: FileMap? { map ?? meter.map(total: byteCount, tail: tail) }

  /// Whether its length follows from where its sound ends.
  var restsOnItsEnd: Bool { byteCount != nil && !meter.isTold(total: byteCount) }

  /// Whether nothing follows its figures.
  var isSilent: Bool { meter.holdsFigures && meter.map(total: nil) == nil }

  /// Whether its packets are known, and none that has come lies at its goal: once it is over, it ends before that.
  var isPassed: Bool { goal > .zero && !hasStarted && currentMap != nil }

  /// Its length where nothing of it is heard: as its packets were counted, or else as its figures tell.
  var lengthUnheard: StreamTime? { isSilent ? .zero : clock ?? currentMap?.length }

  /// So many of its last bytes are tags.
  mutating func learn(tail: Int) {
    self.tail = tail
    if map != nil { map = meter.map(total: byteCount, tail: tail) }
  }

  /// Whether all bytes came.
  var isWhole: Bool { byteCount.map { nextByte >= $0 } ?? false }

  /// Whether an answer is of another version than this.
  func differs(from head: HttpHead) -> Bool {
    func differ(_ one: String?, _ other: String?) -> Bool { one != nil && other != nil && one != other }
    if differ(etag, head.etag) || (etag == nil && differ(lastModified, head.lastModified)) { return true }
    let told = head.contentRangeTotal ?? (head.isPartial ? nil : head.contentLength)
    return byteCount != nil && told != nil && told.flatMap { Int(exactly: $0) } != byteCount
  }

  /// Whether an answer's bytes may be others than the file's.
  func isCoded(_ head: HttpHead) -> Bool { head.coding != nil && head.coding != coding }

  /// What is asked for at most; nil where all that follows is.
  var partByteCount: Int? {
    switch stage {
    case .head: Self.headPartByteCount
    case .sample: Self.samplePartByteCount
    case .window: nil
    }
  }

  /// Goes to the next place to read a few packets from; false where enough is known.
  mutating func beginSample() -> Bool {
    guard samples < Self.mostSamples, goal > Self.runUp, let byteCount, meter.wantsSamples,
      let first = currentMap?.firstByte, byteCount - first > 16 * Self.samplePartByteCount
    else { return false }
    samples += 1
    stage = .sample
    begin(at: first + (byteCount - first) / (Self.mostSamples + 1) * samples)
    return true
  }

  /// What is known has to do.
  mutating func endSampling() { samples = Self.mostSamples }

  /// How the window that holds the goal begins: at the byte from which a decoder is in tune when it gets there.
  mutating func beginWindow() {
    guard let map else { return }
    let isFirst = goal <= Self.runUp
    let place = isFirst ? map.firstByte : place(of: goal - Self.runUp, map)
    stage = .window
    begin(at: byteCount.map { min(place, $0) } ?? place)
  }

  /// Where to begin so that what sounds at `time` comes: from a place that was counted where one is near, so that what
  /// follows is counted too.
  private func place(of time: StreamTime, _ map: FileMap) -> Int {
    let place = map.byte(at: time)
    if map.basis == .constant { return place }
    let counted = counted.last(before: time) ?? CountedPlaces.Place(byte: map.firstByte, time: .zero - map.lead)
    let way = isLocal ? Self.mostLocalWay : Self.mostWay
    return (0...way).contains(place - counted.byte) ? counted.byte : place
  }

  /// So many bytes are read, and passed, to know the time to the packet.
  private static let mostWay = 24_576
  private static let mostLocalWay = 1 << 24

  /// When a packet sounds: after the one before, or for the first of a window as its place tells.
  mutating func time(of info: PacketInfo) -> Range<StreamTime> {
    let map = currentMap
    let start: StreamTime
    if let clock {
      start = clock
    } else if let time = counted.time(at: info.byteOffset) {
      (start, isTimed) = (time, true)
    } else {
      start = map?.time(at: info.byteOffset) ?? .zero
      isTimed = map.map { $0.basis == .constant || info.byteOffset <= $0.firstByte } ?? true
      if !isTimed { guess = CountedPlaces.Place(byte: info.byteOffset, time: start) }
    }
    if isTimed, map?.basis != .constant { counted.note(info.byteOffset, at: start) }
    let end = start + info.duration
    clock = end
    return start..<end
  }

  /// From where a window that began by a guess can be counted, and to which byte; nil where that is not needed, or too
  /// far.
  var stretchToCount: (from: CountedPlaces.Place, to: Int)? {
    guard let guess, let map, isAnnounced, !isLocal else { return nil }
    let from = counted.last(beforeByte: guess.byte) ?? CountedPlaces.Place(byte: map.firstByte, time: .zero - map.lead)
    return (1...Self.mostCounted).contains(guess.byte - from.byte) ? (from, guess.byte) : nil
  }

  /// Counting further would ask too much of a server.
  private static let mostCounted = 1 << 25

  /// A packet on the way to the window was counted.
  mutating func count(_ byte: Int, at time: StreamTime) { counted.note(byte, at: time) }

  /// The window's first packet sounds at `time`, by the count: how much later that is than was thought.
  mutating func settle(at time: StreamTime) -> StreamTime? {
    guard let guess, let clock else { return nil }
    let further = time - guess.time
    self.clock = clock + further
    (isTimed, self.guess) = (true, nil)
    let limit = (map?.isExact == true ? map?.length : nil) ?? heard.upperBound
    heard = min(heard.lowerBound, time, limit)..<limit
    return further
  }

  /// The window begins at a byte; the packets before the goal are passed.
  mutating func begin(at byte: Int) {
    nextByte = byte
    clock = nil
    (isTimed, guess) = (false, nil)
    hasStarted = false
    barrenEnds = 0
    intake = StreamIntake(fileFrom: byte)
  }
}

extension HttpHead {
  /// Whether it begins a part of a file.
  var isPartial: Bool { status == 206 || contentRangeStart != nil }
}
