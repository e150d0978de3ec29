import Blocks
import Framing
import Units

/// Where the seconds of a file lie whose packets tell their places: Ogg, FLAC or WAV. A value.
///
/// A place is found by tries: what is read there tells when it sounds, and the next try knows more.
struct FramedTimeline {
  private let facts: FramedFacts
  private let byteCount: Int?
  /// How long it is by its last page.
  private var told: StreamTime?
  /// Places at which packets were found.
  private var found: [FileMap.SeekPoint] = []
  /// Tries to find the place that is wanted.
  private var tries = 0
  /// Of a chain of links, when the one began that is read.
  private var linkStart = StreamTime.zero
  /// When the next packet sounds; nil before the first one of a part.
  private(set) var clock: StreamTime?

  /// What a decoder hears before its output is right: Opus needs 80 ms, Vorbis a packet.
  private static let preroll = StreamTime(seconds: 0.1)
  /// More than this is not read, and passed, to come to a place.
  private static let mostEarly = StreamTime(seconds: 12)
  /// So many tries, each so many bytes earlier and twice the last one's; then all is read from the file's beginning.
  private static let (mostTries, margin) = (8, 2_048)
  private static let mostFound = 64
  /// Later than this nothing sounds: numbers of frames come from outside, and links add up.
  private static let latest = StreamTime(ticks: 1 << 61)

  /// The seconds of a file of so many bytes, nil where that is not known, whose headers tell this.
  init(_ facts: FramedFacts, byteCount: Int?) { (self.facts, self.byteCount) = (facts, byteCount) }

  /// Where its seconds lie, as far as that is known now.
  var map: FileMap { FileMap(facts, total: byteCount, length: told, found: found) }

  /// Whether its length follows from its last page, which was not read.
  var restsOnItsEnd: Bool { byteCount != nil && facts.isToldByTail && told == nil }

  /// Its last bytes came; whether they tell how long it is.
  mutating func learn(tail: Span<UInt8>) -> Bool {
    guard let length = facts.length(byTail: tail) else { return false }
    told = length
    return true
  }

  /// Another place is wanted.
  mutating func seek() { tries = 0 }

  /// Another part is read from now on.
  mutating func begin() { clock = nil }

  /// When a packet sounds: as it tells, or else after the one before.
  mutating func time(of info: PacketInfo) -> Range<StreamTime> {
    let place = info.firstFrame.flatMap { StreamTime(checking: $0, at: info.format.sampleRate) }
    if info.beginsFile, let clock { linkStart = clock - (place ?? .zero) }
    let told = place.map { linkStart + $0 } ?? clock ?? map.time(at: info.byteOffset)
    let start = max(.zero, min(Self.latest, told))
    if clock == nil, place != nil { note(FileMap.SeekPoint(byte: info.byteOffset, time: start)) }
    let end = start + info.duration
    clock = end
    return start..<end
  }

  private mutating func note(_ point: FileMap.SeekPoint) {
    if found.count == Self.mostFound { found.removeFirst() }
    found.append(point)
  }

  /// Whether a part whose first packet sounds at `time` does not lead to `goal`: it begins behind it, or so far before
  /// it that another try costs less. There is always a last try.
  mutating func misses(_ goal: StreamTime, at time: StreamTime) -> Bool {
    guard tries < Self.mostTries, facts.packet == nil, byteCount != nil else { return false }
    let isLate = goal > .zero && time > max(.zero, goal - Self.preroll)
    guard isLate || goal - time > Self.mostEarly else { return false }
    tries += 1
    return true
  }

  /// The byte from which a decoder is in tune when it gets to `goal`: the more tries were in vain, the earlier. Behind
  /// the file's end there is none.
  func byte(for goal: StreamTime) -> Int {
    guard goal > Self.preroll, let byteCount, tries < Self.mostTries else { return facts.firstByte }
    let isEven = facts.packet != nil
    let place = map.byte(at: goal - (isEven ? Self.preroll : Self.preroll + Self.preroll))
    return max(facts.firstByte, min(byteCount, place) - (isEven ? 0 : Self.margin << tries))
  }
}
