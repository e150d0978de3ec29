import Blocks
import Framing
import Units

/// Where the seconds of a file lie whose packets tell their places: Ogg, FLAC or WAV. A value.
///
/// A place is found by tries: what is read there tells when it sounds, and the next try knows more.
struct FramedTimeline {
  private let facts: FramedFacts
  private let byteCount: Int?
  private var tail = Tail.unread
  /// Places at which packets were found.
  private var found: [FileMap.SeekPoint] = []
  /// The last place of those that were read.
  private var latest: FileMap.SeekPoint?
  /// Tries to find the place that is wanted.
  private var tries = 0
  private var links: LinkStarts
  /// Whether it is known when the packets sound of the part that is read: not of a link that was never read from its
  /// beginning.
  private var isPlaced = true
  /// Whether its first packet told when it sounds.
  private var isTold = true
  /// Whether that is the file's first one, before which nothing lies.
  private var isFirst = false
  /// When the next packet sounds; nil before the first one of a part.
  private(set) var clock: StreamTime?

  /// What its last page says of its length.
  private enum Tail {
    case unread
    case told(StreamTime)
    /// Nothing: it is of another link than the first.
    case silent
  }

  /// What a decoder hears before its output is right: Opus needs 80 ms, Vorbis a packet.
  private static let preroll = StreamTime(seconds: 0.1)
  /// More than this is not read, and passed, to come to a place.
  private static let mostEarly = StreamTime(seconds: 12)
  /// So many tries, each so many bytes earlier and twice the last one's; then all is read from the last place that is
  /// known to lie before, and at last from the file's beginning.
  private static let (mostTries, margin) = (8, 2_048)
  private static let mostFound = 64
  /// Later than this nothing sounds: numbers of frames come from outside, and links add up.
  private static let longest = StreamTime(ticks: 1 << 61)

  /// The seconds of a file of so many bytes, nil where that is not known, whose headers tell this.
  init(_ facts: FramedFacts, byteCount: Int?) {
    (self.facts, self.byteCount) = (facts, byteCount)
    links = LinkStarts(first: facts.link, from: .zero - facts.origin)
  }

  /// Where its seconds lie, as far as that is known now.
  var map: FileMap {
    switch tail {
    case .unread: FileMap(facts, total: byteCount, length: nil, found: places)
    case .told(let length): FileMap(facts, total: byteCount, length: length, found: places)
    case .silent: FileMap(facts, total: byteCount, length: nil, found: places, isMeasured: true)
    }
  }

  /// All places that are known by packets.
  private var places: [FileMap.SeekPoint] { found + (latest.map { [$0] } ?? []) }

  /// Whether its length follows from its last page, which was not read.
  var restsOnItsEnd: Bool { if case .unread = tail { byteCount != nil && facts.isToldByTail } else { false } }

  /// Its last bytes came, which may tell how long it is.
  mutating func learn(tail bytes: Span<UInt8>) {
    guard facts.isToldByTail else { return }
    tail = facts.length(byTail: bytes).map { .told($0) } ?? .silent
  }

  /// Another place is wanted.
  mutating func seek() { tries = 0 }

  /// Another part is read from now on.
  mutating func begin() { clock = nil }

  /// When a packet sounds: as it tells, or else after the one before.
  mutating func time(of info: PacketInfo) -> Range<StreamTime> {
    let frame = info.firstFrame.flatMap { StreamTime(checking: $0, at: info.format.sampleRate) }
    if info.beginsFile, isPlaced, isTold, let clock {
      links.note(info.link, at: info.byteOffset, start: clock - (frame ?? .zero))
    }
    let link = links.start(of: info.link, at: info.byteOffset)
    if clock == nil { isFirst = info.byteOffset <= facts.firstByte }
    // Nothing sounds before the file's first frame: who says so is wrong.
    let counted = frame.flatMap { frame in link.map { $0 + frame } }.flatMap { $0 < .zero ? nil : $0 }
    let told = counted ?? (clock == nil && isFirst ? StreamTime.zero : nil)
    let start = min(Self.longest, told ?? clock ?? max(.zero, map.time(at: info.byteOffset)))
    if clock == nil { (isPlaced, isTold) = (link != nil, told != nil) }
    if isPlaced, isTold, told != nil { note(FileMap.SeekPoint(byte: info.byteOffset, time: start)) }
    let end = start + info.duration
    clock = end
    return start..<end
  }

  private mutating func note(_ point: FileMap.SeekPoint) {
    if latest.map({ point.byte > $0.byte && point.time > $0.time }) ?? true { latest = point }
    guard clock == nil else { return }
    if found.count == Self.mostFound { found.removeFirst() }
    found.append(point)
  }

  /// Whether a part whose first packet sounds at `time` does not lead to `goal`: it is not known when it sounds, or it
  /// begins behind it, or so far before it that another try costs less. There is always a last try.
  mutating func misses(_ goal: StreamTime, at time: StreamTime) -> Bool {
    guard isPlaced else { return strays() }
    guard canTry else { return false }
    let isLate = !isTold || goal > .zero && time > max(.zero, goal - Self.preroll)
    guard isLate && !isFirst || tries < Self.mostTries && goal - time > Self.mostEarly else { return false }
    tries += 1
    return true
  }

  /// A part was of no use: it held no packet, or those of a link that is not known. Whether there is another try.
  mutating func strays() -> Bool {
    guard canTry else { return false }
    // Only who reads on from a link that is known gets to know the next ones.
    tries = facts.link == nil ? tries + 1 : max(tries + 1, Self.mostTries)
    return true
  }

  private var canTry: Bool { tries <= Self.mostTries && facts.packet == nil && byteCount != nil }

  /// The byte from which a decoder is in tune when it gets to `goal`: the more tries were in vain, the earlier. Behind
  /// the file's end there is none.
  func byte(for goal: StreamTime) -> Int {
    guard goal > Self.preroll, let byteCount, tries <= Self.mostTries else { return facts.firstByte }
    let isEven = facts.packet != nil
    let early = goal - (isEven ? Self.preroll : Self.preroll + Self.preroll)
    if tries == Self.mostTries {
      return places.reduce(facts.firstByte) { $1.time <= early ? max($0, $1.byte) : $0 }
    }
    return max(facts.firstByte, min(byteCount, map.byte(at: early)) - (isEven ? 0 : Self.margin << tries))
  }
}
