import Blocks
import Framing
import Units

/// Where a file's seconds lie in its bytes, as far as that is known, and when the packets of the part that is being
/// read sound. A value.
struct FileTimeline {
  /// Takes the packets from the file's first on, until a jump.
  private var meter = FileMeter()
  /// Where its seconds lie; nil until that was needed.
  private var fixed: FileMap?
  private let byteCount: Int?
  /// How many of its last bytes are tags behind the sound, as far as that is known.
  private var tail = 0
  /// What its packets tell by themselves; nil of MPEG audio and ADTS, which do not.
  private var framed: FramedTimeline?
  /// Whether to read costs next to nothing.
  private let isLocal: Bool

  /// When the next packet sounds; nil before the first one of a part.
  private var clock: StreamTime?
  /// Whether that is to the packet, and no guess.
  private(set) var isTimed = false
  /// The part's first packet, and when it sounds by a guess; nil where that is known.
  private var guess: ExactSeekIndex.Point?
  /// Places of which it was known to the packet.
  private var counted = ExactSeekIndex()

  /// What a decoder hears before its output is right, and a packet that is found a little late.
  static let runUp = StreamTime(seconds: 0.45)
  /// So many bytes are read, and passed, to know the time to the packet.
  private static let mostWay = 24_576
  private static let mostLocalWay = 1 << 24
  /// Counting further would ask too much of a server.
  private static let mostCounted = 1 << 25

  /// The seconds of a file of so many bytes, nil where that is not known, with so many of tags behind its sound.
  init(byteCount: Int?, tail: Int = 0, isLocal: Bool = false) {
    (self.byteCount, self.tail, self.isLocal) = (byteCount, tail, isLocal)
  }

  // MARK: What is known

  /// Where its seconds lie, as far as that is known now.
  var map: FileMap? { framed?.map ?? fixed ?? meter.map(total: byteCount, tail: tail) }

  /// Whether enough was seen of it to say that.
  var isSettled: Bool { framed != nil || meter.isSettled }

  /// Its headers tell where its sound lies, and its packets where they are.
  mutating func note(_ facts: FramedFacts) { framed = FramedTimeline(facts, byteCount: byteCount) }

  /// Whether that does not change any more, but for the tags at its end.
  var isFixed: Bool { fixed != nil }

  /// Whether its length follows from where its sound ends.
  var restsOnItsEnd: Bool { framed?.restsOnItsEnd ?? (byteCount != nil && !meter.isTold(total: byteCount)) }

  /// Whether nothing follows its figures.
  var isSilent: Bool { framed == nil && meter.holdsFigures && meter.map(total: nil) == nil }

  /// Whether packets of other places tell more than those of its head.
  var wantsSamples: Bool { framed == nil && fixed == nil && meter.wantsSamples }

  /// When the packet sounds that comes next; nil before the first one of a part.
  var time: StreamTime? { framed.map(\.clock) ?? clock }

  /// Its last bytes came, which may tell how long it is where packets tell their places.
  mutating func learn(bytes: Span<UInt8>) { framed?.learn(tail: bytes) }

  /// So many of its last bytes are tags.
  mutating func learn(tail: Int) {
    self.tail = tail
    if fixed != nil { fixed = meter.map(total: byteCount, tail: tail) }
  }

  /// Goes by what is known now from here on; nil where nothing is.
  mutating func fix() -> FileMap? {
    fixed = map
    return fixed
  }

  // MARK: Packets

  /// Takes a packet; whether it is one of the sound.
  mutating func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> Bool {
    if framed != nil { return true }
    if let fixed { return info.byteOffset >= fixed.firstByte }
    return meter.take(info, bytes.bindMemory(to: UInt8.self).span)
  }

  /// Takes a packet of a place that was looked at.
  mutating func sample(_ info: PacketInfo) { meter.sample(info) }

  /// Another part is read from now on.
  mutating func begin() {
    framed?.begin()
    (clock, isTimed, guess) = (nil, false, nil)
  }

  /// Another place is wanted.
  mutating func seek() { framed?.seek() }

  /// Whether a part whose first packet sounds at `time` does not lead to `goal`, so that another one is to be read.
  mutating func misses(_ goal: StreamTime, at time: StreamTime) -> Bool { framed?.misses(goal, at: time) ?? false }

  /// A part held no packet that can be placed; whether another one is to be read.
  mutating func strays() -> Bool { framed?.strays() ?? false }

  /// When a packet sounds: after the one before, or for the first of a part as its place tells.
  mutating func time(of info: PacketInfo) -> Range<StreamTime> {
    if let time = framed?.time(of: info) { return time }
    assert(guess == nil || !isTimed, "what is guessed is not known")
    let map = map
    let start: StreamTime
    if let clock {
      start = clock
    } else if let time = counted.time(at: info.byteOffset) {
      (start, isTimed) = (time, true)
    } else {
      start = map?.time(at: info.byteOffset) ?? .zero
      isTimed = map.map { $0.basis == .constant || info.byteOffset <= $0.firstByte } ?? true
      if !isTimed { guess = ExactSeekIndex.Point(byte: info.byteOffset, time: start) }
    }
    if isTimed, map?.basis != .constant { counted.note(info.byteOffset, at: start) }
    let end = start + info.duration
    clock = end
    return start..<end
  }

  // MARK: Places

  /// The byte from which a decoder is in tune when it gets to `goal`; nil where it is not known where seconds lie.
  func byte(for goal: StreamTime) -> Int? {
    if let framed { return framed.byte(for: goal) }
    guard let fixed else { return nil }
    let place = goal <= Self.runUp ? fixed.firstByte : place(of: goal - Self.runUp, fixed)
    return byteCount.map { min(place, $0) } ?? place
  }

  /// Where to begin so that what sounds at `time` comes: from a place that was counted where one is near, so that what
  /// follows is counted too.
  private func place(of time: StreamTime, _ map: FileMap) -> Int {
    let place = map.byte(at: time)
    if map.basis == .constant { return place }
    let counted = counted.last(before: time) ?? ExactSeekIndex.Point(byte: map.firstByte, time: .zero - map.lead)
    let way = isLocal ? Self.mostLocalWay : Self.mostWay
    return (0...way).contains(place - counted.byte) ? counted.byte : place
  }

  /// From where a part that began by a guess can be counted, and to which byte; nil where that is not needed, or too
  /// far.
  var stretchToCount: (from: ExactSeekIndex.Point, to: Int)? {
    guard let guess, let fixed, !isLocal else { return nil }
    let first = ExactSeekIndex.Point(byte: fixed.firstByte, time: .zero - fixed.lead)
    let from = counted.last(beforeByte: guess.byte) ?? first
    return (1...Self.mostCounted).contains(guess.byte - from.byte) ? (from, guess.byte) : nil
  }

  /// A packet on the way to the part was counted.
  mutating func count(_ byte: Int, at time: StreamTime) { counted.note(byte, at: time) }

  /// The part's first packet sounds at `time`, by the count: how much later that is than was thought.
  mutating func settle(at time: StreamTime) -> StreamTime? {
    guard let guess, let clock else { return nil }
    assert(!isTimed && clock >= guess.time, "a part's packets follow its first")
    let further = time - guess.time
    self.clock = clock + further
    (isTimed, self.guess) = (true, nil)
    return further
  }
}
