import Blocks
import Framing
import Units

/// A file that is being played (R11): what is known of it, what of it is asked for, and which of its packets are heard.
/// The net thread's.
final class FileTransfer {
  /// Which version of it comes.
  private let version: FileVersion
  private var timeline: FileTimeline
  private var progress: FileProgress
  /// What is to be heard first.
  private var goal: StreamTime
  /// The byte that comes next, tags counted.
  private(set) var nextByte = 0
  /// Where its packets are cut; it goes on over broken connections.
  private(set) var intake: StreamIntake?
  /// What of the window is to be heard; right once it has started.
  private var heard = StreamTime.zero..<StreamTime(ticks: .max)
  private var start = Start.notYet
  private var telling = Telling.notYet
  /// What its tags call it.
  private(set) var title: ExternalTitle?
  /// Whether its server knows no parts.
  private var isReadThrough: Bool
  /// Its last bytes, until its headers tell what they mean.
  private var lastBytes: [UInt8]?
  /// Whether what comes does not lead to the goal, so that another part is to be asked for.
  private var hasMissed = false

  /// Whether a packet of the window is in the ring.
  private enum Start {
    case notYet
    /// One is, of a file that begins the programme or lies there in it.
    case at(FilePlace?)
  }

  /// Whether it was told to those who wait for it.
  private enum Telling {
    case notYet
    /// It was, with such a length.
    case told(StreamTime?)
  }

  /// What the kernel may take of a file before anybody asked for it.
  static let receiveBuffer = 16_384

  /// A file whose first answer began with `head`, of which `intake` cuts the packets; the first part of it, or all.
  ///
  /// - Parameters:
  ///   - goal: What is to be heard first.
  ///   - localTail: The last bytes of a file of this machine.
  init(_ head: HttpHead, _ intake: StreamIntake?, readsHead: Bool, goal: StreamTime, localTail: [UInt8]? = nil) {
    version = FileVersion(head)
    progress = FileProgress(readsHead: readsHead)
    isReadThrough = !readsHead
    timeline = FileTimeline(
      byteCount: version.byteCount, tail: localTail.map { TrailingTags.byteCount(in: $0.span) } ?? 0,
      isLocal: localTail != nil)
    (self.intake, self.goal) = (intake, goal)
    title = localTail.flatMap { Self.title(in: $0.span) }
    lastBytes = localTail
  }

  // MARK: What is known

  /// Its length in bytes; nil where that was not told.
  var byteCount: Int? { version.byteCount }

  /// Whether a packet of the window is in the ring.
  var hasStarted: Bool { if case .at = start { true } else { false } }

  /// Whether it was told to those who wait for it.
  var isAnnounced: Bool { if case .told = telling { true } else { false } }

  /// Whether it is known where its seconds lie.
  var isMapped: Bool { timeline.map != nil }

  /// Whether nobody can tell where in it a second lies: its packets lie in pieces between others, so it is read from
  /// its beginning.
  var hasNoPlaces: Bool {
    switch intake?.form {
    case .transport, .latm: true
    default: false
    }
  }

  /// Whether its length follows from where its sound ends.
  var restsOnItsEnd: Bool { timeline.restsOnItsEnd }

  /// Whether a part of its head is read.
  var isAtHead: Bool { progress.isAtHead }

  /// Whether enough of its head is known.
  var isHeadKnown: Bool { progress.isAtHead && timeline.isSettled }

  /// Whether another part of it is to be asked for than what comes.
  var wantsOther: Bool { isHeadKnown || hasMissed }

  /// What sounds behind the packets that came; nil while that is not known.
  var left: StreamTime? {
    guard let time = timeline.time, let length = timeline.map?.length else { return nil }
    return length - time
  }

  /// From where a window that began by a guess can be counted, and to which byte; nil where that is not needed.
  var stretchToCount: (from: ExactSeekIndex.Point, to: Int)? { isAnnounced ? timeline.stretchToCount : nil }

  /// Whether an answer is a part of it, from that byte on.
  func isPart(_ head: HttpHead, from byte: Int64) -> Bool { version.isPart(head, from: byte) }

  /// Whether an answer brings its last bytes.
  func isTail(_ head: HttpHead) -> Bool {
    guard let total = head.contentRangeTotal else { return false }
    return isPart(head, from: max(0, total - Int64(tailByteCount)))
  }

  /// So many of its last bytes tell how long it is, and what it is called.
  var tailByteCount: Int { isToldByTail ? Self.oggTailByteCount : TrailingTags.tailByteCount }

  /// Whether they alone tell how long it is.
  var isToldByTail: Bool { intake?.form == .ogg }

  /// The longest page of Ogg begins within these.
  static let oggTailByteCount = 1 << 16

  // MARK: What is asked for

  /// What makes sure that what comes is of the same version.
  var validator: String? { version.validator }

  /// How many bytes are asked for; nil where all that follow are.
  var partByteCount: Int? { progress.partByteCount }

  /// Begins to read where the goal is heard, or the next of the places that tell where that is; false while nothing is
  /// known of that.
  func openWindow() -> Bool {
    guard let map = timeline.map else { return false }
    if hasNoPlaces {
      isReadThrough = true
      progress.beginWindow()
      begin(at: 0)
      return true
    }
    if beginSample(map) { return true }
    if let length = timeline.fix()?.length { goal = min(goal, length) }
    progress.beginWindow()
    begin(at: timeline.byte(for: goal) ?? nextByte)
    return true
  }

  private func beginSample(_ map: FileMap) -> Bool {
    guard goal > FileTimeline.runUp, let byteCount, timeline.wantsSamples,
      byteCount - map.firstByte > 16 * FileProgress.samplePartByteCount, let number = progress.nextSample()
    else { return false }
    begin(at: map.firstByte + (byteCount - map.firstByte) / (FileProgress.mostSamples + 1) * number)
    return true
  }

  /// Goes to another place of it.
  func seek(to goal: StreamTime) -> Bool {
    self.goal = max(.zero, goal)
    timeline.seek()
    return openWindow()
  }

  /// What is read begins at a byte; the packets before the goal are passed.
  private func begin(at byte: Int) {
    nextByte = byte
    timeline.begin()
    (start, hasMissed) = (.notYet, false)
    progress.advance()
    intake = StreamIntake(fileFrom: byte, after: intake)
  }

  // MARK: What comes

  /// What the head of an answer says.
  enum Answer: Equatable, Sendable {
    /// It is like any other's.
    case any
    /// Its bytes are the file's, but for so many that came before.
    case part(skip: Int)
    /// The server knows no parts: the file is read through from its first byte, and what comes before the goal passed.
    case whole
    /// It is not read.
    case turn(FileProgress.Turn)
    /// It is another part than was asked for.
    case wrongPart
  }

  /// Looks at the head of an answer to a request for what follows from the byte `asked` on.
  func answered(_ head: HttpHead, asked: Int) -> Answer {
    if head.status == 416 {
      let end = head.contentRangeTotal.flatMap { Int(exactly: $0) } ?? byteCount
      // Where nothing but the end follows, all was there.
      return .turn(end == asked || byteCount == asked || progress.isBarren ? .end : .changed)
    }
    guard head.status < 400 else { return .any }
    if version.differs(from: head) { return .turn(.changed) }
    if version.isCoded(head) { return .turn(.coded) }
    if head.isPartial {
      guard let start = head.contentRangeStart.flatMap({ Int(exactly: $0) }), start <= asked else { return .wrongPart }
      isReadThrough = false
      return .part(skip: asked - start)
    }
    if progress.isSampling { return .turn(.unsampled) }
    guard progress.isAtWindow, !hasStarted, timeline.time == nil else { return .part(skip: asked) }
    isReadThrough = true
    begin(at: 0)
    return .whole
  }

  /// So many bytes are taken that were not there.
  func advance(_ count: Int) {
    nextByte += count
    progress.advance()
    if intake?.isAstray == true { stray() }
  }

  /// What comes leads nowhere: another part of it is asked for, where there is one.
  private func stray() { if progress.isAtWindow, !hasStarted, timeline.strays() { hasMissed = true } }

  /// All that follows came; whether it did not lead to the goal, so that another part is to be asked for.
  func endsAstray() -> Bool {
    if timeline.time == nil, !isReadThrough { stray() }
    return hasMissed
  }

  /// Looks at what its first tag says so far.
  func readTag() {
    // Those of a later link are told with it.
    if !hasStarted, let found = intake?.tagTitle { title = found }
    guard !timeline.isSettled, let facts = intake?.facts else { return }
    timeline.note(facts)
    if let last = lastBytes { timeline.learn(bytes: last.span) }
    lastBytes = nil
  }

  /// What becomes of a packet.
  enum Fate {
    /// It is not heard.
    case passed
    /// It goes into the ring.
    case heard(PacketInfo)
    /// It goes into the ring as the first one of the window, which sounds at a time of the file.
    case first(PacketInfo, at: StreamTime)
  }

  /// Takes a packet.
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> Fate {
    if progress.isSampling {
      timeline.sample(info)
      return .passed
    }
    if !hasStarted || !timeline.isSettled { readTag() }
    guard timeline.take(info, bytes), !progress.isAtHead, !hasMissed else { return .passed }
    let isFirstOfPart = timeline.time == nil
    let time = timeline.time(of: info)
    if isFirstOfPart, !hasStarted, !isReadThrough, timeline.misses(goal, at: time.lowerBound) {
      hasMissed = true
      return .passed
    }
    if time.upperBound <= goal - FileTimeline.runUp { return .passed }
    let isFirst = !hasStarted
    if isFirst {
      start = .at(nil)
      // Where the time is a guess the end is one too, and all is heard.
      let map = timeline.map
      let limit = (map?.isExact == true && timeline.isTimed ? map?.length : nil) ?? StreamTime(ticks: .max)
      heard = min(goal, limit)..<limit
    }
    var info = info
    info.mute(outside: heard, at: time.lowerBound)
    return isFirst ? .first(info, at: time.lowerBound) : .heard(info)
  }

  /// Its first packet lies there in the programme, behind another file.
  func follow(at place: FilePlace) { start = .at(place) }

  // MARK: What is told

  /// What is told of a file.
  enum Announcement: Equatable {
    /// It begins to play: so long, or of a length that nobody knows, at that place behind another one.
    case begins(StreamTime?, FilePlace?)
    /// Its length is known better.
    case length(StreamTime)
  }

  /// What is to be told now; `isOver` says whether all of it came, and `isFollowing` whether it follows another file.
  func announcement(isOver: Bool, isFollowing: Bool) -> Announcement? {
    guard hasStarted || isOver && !isFollowing && (timeline.isSilent || isPassed) else { return nil }
    guard timeline.isFixed || timeline.isSettled || isOver else { return nil }
    let length = timeline.map?.length
    guard case .told(let before) = telling else {
      telling = .told(length)
      return .begins(hasStarted ? length : lengthUnheard, place)
    }
    guard let length, before.map({ abs(length.ticks - $0.ticks) > $0.ticks / 100 }) ?? true else { return nil }
    telling = .told(length)
    return .length(length)
  }

  /// Whether its packets are known, and none that has come lies at its goal: once it is over, it ends before that.
  private var isPassed: Bool { goal > .zero && timeline.map != nil }

  /// Its length where nothing of it is heard: as its packets were counted, or else as its figures tell.
  private var lengthUnheard: StreamTime? { timeline.isSilent ? .zero : timeline.time ?? timeline.map?.length }

  private var place: FilePlace? { if case .at(let place) = start { place } else { nil } }

  /// What its tags call it, from its first moment on. Where they do not, an empty title ends that of the file before.
  var titleNotice: NetNotice? {
    if title == nil, place == nil { return nil }
    return .externalTitle(title ?? ExternalTitle(track: ""), at: place?.border ?? .zero)
  }

  /// What an ID3v1 tag calls the file that it ends; nil where there is no title.
  private static func title(in tail: Span<UInt8>) -> ExternalTitle? {
    guard let tag = Id3Reader.last(in: tail), let title = tag.title else { return nil }
    return ExternalTitle(artist: tag.artist, track: title, url: nil)
  }

  // MARK: The end of an answer

  /// What follows on the end of an answer.
  func end(_ end: FileProgress.End) -> FileProgress.Reaction {
    var end = end
    end.isWhole = byteCount.map { nextByte >= $0 }
    return progress.end(end)
  }

  /// What follows on a part of its head; `taker` takes the packets that its end brings.
  func endHead(_ taker: any StreamTaker) -> FileProgress.HeadReaction {
    guard let intake else { return .noAudio }
    let isWhole = isWhole
    if isWhole { intake.finish(taker) }
    let content: FileProgress.Content =
      switch intake.phase {
      case .audio where intake.isInHeaders: .headers
      case .audio: .audio
      case .playlist: .list
      case .refused: .refused
      default: .unknown
      }
    let absent = intake.absentTagByteCount
    if absent > 0 {
      nextByte += absent
      intake.passAbsentTag()
    }
    return progress.endHead(content, hasTag: absent > 0, isWhole: isWhole, isWholeBehindTag: self.isWhole)
  }

  private var isWhole: Bool { byteCount.map { nextByte >= $0 } ?? false }

  // MARK: Looks beside its download

  /// What a look at its last bytes found; what is told of it.
  func learn(tail bytes: Span<UInt8>) -> [NetNotice] {
    var told: [NetNotice] = []
    if title == nil, let found = Self.title(in: bytes) {
      title = found
      if isAnnounced, let titleNotice { told.append(titleNotice) }
    }
    let tail = TrailingTags.byteCount(in: bytes)
    timeline.learn(bytes: bytes)
    if tail > 0 { timeline.learn(tail: tail) }
    // Where they tell nothing of the length of an Ogg file, what came so far is its measure from here on.
    guard tail > 0 || isToldByTail else { return told }
    if isAnnounced, let length = timeline.map?.length {
      telling = .told(length)
      told.append(.length(length))
    }
    return told
  }

  /// A packet on the way to the window was counted.
  func count(_ byte: Int, at time: StreamTime) { timeline.count(byte, at: time) }

  /// The window's first packet sounds at `time`, by the count; what is told of it.
  func settle(at time: StreamTime) -> NetNotice? {
    guard let further = timeline.settle(at: time) else { return nil }
    let map = timeline.map
    let limit = (map?.isExact == true ? map?.length : nil) ?? heard.upperBound
    heard = min(heard.lowerBound, time, limit)..<limit
    return further == .zero ? nil : .placed(by: further)
  }
}
