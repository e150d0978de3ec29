import Blocks
import Framing
import Units

/// Maps seconds to bytes in a file whose packets carry positions: Ogg, FLAC, WAV or AIFF. A value. Each try to reach a
/// goal finds the time of a packet, which improves the next try.
struct FramedTimeline {
  private let facts: FramedFacts
  private let byteCount: Int?
  private var tail = Tail.unread
  private var found: [FileMap.SeekPoint] = []
  private var latest: FileMap.SeekPoint?
  private var tries = 0
  private var links: LinkStarts
  /// True if packet times are known in the current part. False in a link whose start was never read.
  private var isPlaced = true
  private var hasOwnTime = true
  private var isFirst = false
  private(set) var clock: StreamTime?

  private enum Tail {
    case unread
    case known(StreamTime)
    /// The page belongs to another link than the first.
    case unusable
  }

  /// Audio needed by a decoder before its output is right: 80 ms for Opus, a packet for Vorbis.
  private static let preroll = StreamTime(seconds: 0.1)
  /// Maximum audio that is read and dropped to reach the goal.
  private static let maxEarly = StreamTime(seconds: 12)
  /// Maximum number of tries, and the distance in bytes by which the first try starts early. Each try doubles the
  /// distance. The last try starts at the last known packet before the goal. After that, the whole file is read.
  private static let (maxTries, margin) = (8, 2_048)
  private static let maxFound = 64
  /// Maximum time. Frame numbers are untrusted, and the durations of all links are added.
  private static let maxTime = StreamTime(ticks: 1 << 61)

  init(_ facts: FramedFacts, byteCount: Int?) {
    (self.facts, self.byteCount) = (facts, byteCount)
    links = LinkStarts(first: facts.link, from: .zero - facts.origin)
  }

  var map: FileMap {
    switch tail {
    case .unread: FileMap(facts, total: byteCount, length: nil, found: places)
    case .known(let length): FileMap(facts, total: byteCount, length: length, found: places)
    case .unusable: FileMap(facts, total: byteCount, length: nil, found: places, isMeasured: true)
    }
  }

  private var places: [FileMap.SeekPoint] { found + (latest.map { [$0] } ?? []) }

  var restsOnItsEnd: Bool { if case .unread = tail { byteCount != nil && facts.isLengthInTail } else { false } }

  mutating func evaluateTail(tail bytes: Span<UInt8>) {
    guard facts.isLengthInTail else { return }
    tail = facts.length(byTail: bytes).map { .known($0) } ?? .unusable
  }

  mutating func seek() { tries = 0 }

  mutating func beginPart() { clock = nil }

  /// Returns the time of a packet: as carried by the packet, else after the previous packet.
  mutating func time(of info: PacketInfo) -> Range<StreamTime> {
    let frame = info.firstFrame.flatMap { StreamTime(checking: $0, at: info.format.sampleRate) }
    if info.beginsFile, isPlaced, hasOwnTime, let clock {
      links.insert(info.link, at: info.byteOffset, start: clock - (frame ?? .zero))
    }
    let link = links.start(of: info.link, at: info.byteOffset)
    if clock == nil { isFirst = info.byteOffset <= facts.firstByte }
    // A time before the file's first frame is wrong.
    let counted = frame.flatMap { frame in link.map { $0 + frame } }.flatMap { $0 < .zero ? nil : $0 }
    let told = counted ?? (clock == nil && isFirst ? StreamTime.zero : nil)
    let start = min(Self.maxTime, told ?? clock ?? max(.zero, map.time(at: info.byteOffset)))
    if clock == nil { (isPlaced, hasOwnTime) = (link != nil, told != nil) }
    if isPlaced, hasOwnTime, told != nil { record(FileMap.SeekPoint(byte: info.byteOffset, time: start)) }
    let end = start + info.duration
    clock = end
    return start..<end
  }

  private mutating func record(_ point: FileMap.SeekPoint) {
    if latest.map({ point.byte > $0.byte && point.time > $0.time }) ?? true { latest = point }
    guard clock == nil else { return }
    if found.count == Self.maxFound { found.removeFirst() }
    found.append(point)
  }

  /// Returns true if another part must be read instead of the part that starts at `time`. The time is then unknown or
  /// after `goal`, or so early that another try costs less. The last part is always accepted.
  mutating func misses(_ goal: StreamTime, at time: StreamTime) -> Bool {
    guard isPlaced else { return handleStrayPart() }
    guard canTry else { return false }
    let isLate = !hasOwnTime || goal > .zero && time > max(.zero, goal - Self.preroll)
    guard isLate && !isFirst || tries < Self.maxTries && goal - time > Self.maxEarly else { return false }
    tries += 1
    return true
  }

  /// Handles a part without packets, or of an unknown link. Returns true if another try is left.
  mutating func handleStrayPart() -> Bool {
    guard canTry else { return false }
    // Only reading on from a known link reveals the next links.
    tries = facts.link == nil ? tries + 1 : max(tries + 1, Self.maxTries)
    return true
  }

  private var canTry: Bool { tries <= Self.maxTries && facts.packet == nil && byteCount != nil }

  /// Returns the byte at which a decoder must start to be ready at `goal`, within the file. Each try starts earlier.
  func byte(for goal: StreamTime) -> Int {
    guard goal > Self.preroll, let byteCount, tries <= Self.maxTries else { return facts.firstByte }
    let isEven = facts.packet != nil
    let early = goal - (isEven ? Self.preroll : Self.preroll + Self.preroll)
    if tries == Self.maxTries {
      return places.reduce(facts.firstByte) { $1.time <= early ? max($0, $1.byte) : $0 }
    }
    return max(facts.firstByte, min(byteCount, map.byte(at: early)) - (isEven ? 0 : Self.margin << tries))
  }
}
