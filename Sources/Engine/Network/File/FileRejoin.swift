import Framing
import Units

/// The search for the received packets in another version of a file. A value. Some hosts insert other advertisements
/// at each request, so that the same packets are at another byte.
struct FileRejoin: ~Copyable {
  private enum Phase {
    case idle
    case searching
    /// The packets were not found: the file continues at the same time.
    case byTime
  }

  enum Step: Equatable {
    case dropped
    /// The next packet continues the received packets. `lost`: number of new packets before the decision.
    case joined(lost: Int)
    /// The packets were not found. Another part, at the same time, must be requested.
    case missed
    /// This packet continues at the same time.
    case begins
  }

  /// Maximum difference between the positions of a packet in the two versions.
  static let span = StreamTime(seconds: 60)

  private var phase = Phase.idle
  /// Time of the packet after the last received packet.
  private(set) var time = StreamTime.zero
  /// Hashes of the last packets, the oldest at `recordedCount % Stitcher.capacity` if full.
  private var recorded: [PacketPrint] = []
  private var recordedCount = 0
  private var stitcher: Stitcher?
  private var freshCount = 0
  /// Start of the searched part: by the packets of the new version, and by the positions of the old one.
  private var origin: (place: StreamTime, mapped: StreamTime)?
  /// Duration of the new version's bytes, as a share of the duration of as many bytes of the old one.
  private var pace = 1.0

  var isActive: Bool { if case .idle = phase { false } else { true } }

  /// True if another part must be requested at the same time.
  var isByTime: Bool { if case .byTime = phase { true } else { false } }

  /// Maximum difference between the bit rates of two equal encodings, as a share.
  private static let paceTolerance = 0.02
  /// The searched duration at which the bit rate of the new version counts.
  private static let pacedSpan = StreamTime(seconds: 2)

  /// Returns the byte of the new version at the time of a byte of the old one.
  func newByte(of old: Int) -> Int { pace == 1 ? old : Int(Double(old) / pace) }

  /// Returns the byte of the old version at the time of a byte of the new one.
  func oldByte(of new: Int) -> Int { pace == 1 ? new : Int(Double(new) * pace) }

  /// Remembers a received packet.
  mutating func record(_ packet: PacketPrint) {
    if recorded.count < Stitcher.capacity {
      recorded.append(packet)
    } else {
      recorded[recordedCount % Stitcher.capacity] = packet
    }
    recordedCount += 1
  }

  /// Starts the search for the last received packets. `time`: time of the next packet in the old version.
  mutating func begin(at time: StreamTime) {
    (phase, self.time) = (.searching, time)
    var stitcher = Stitcher()
    let first = recorded.count < Stitcher.capacity ? 0 : recordedCount % Stitcher.capacity
    for index in recorded.indices { stitcher.recordBuffered(recorded[(first + index) % recorded.count]) }
    self.stitcher = consume stitcher
    (freshCount, origin, pace) = (0, nil, 1)
  }

  /// Handles the last byte of the new version. Returns true if another part must be requested at the same time.
  mutating func endFile() -> Bool {
    let isSearching = if case .searching = phase { true } else { false }
    phase = isSearching ? .byTime : .idle
    stitcher = nil
    return isSearching
  }

  /// Compares a packet of the new version. `place`: its approximate time, after the part's first packet; `mapped`: its
  /// time by the positions of the old version, after a missed search those of `oldByte`.
  mutating func offer(_ packet: PacketPrint, at place: StreamTime, mapped: StreamTime) -> Step {
    guard case .searching = phase else {
      return beginByTime(at: pace == 1 ? place : mapped)
    }
    measurePace(place, mapped)
    if place < time - Self.span { return .dropped }
    guard place > time + Self.span else { return compare(packet) }
    phase = .byTime
    stitcher = nil
    return .missed
  }

  private mutating func beginByTime(at place: StreamTime) -> Step {
    if place < time { return .dropped }
    phase = .idle
    return .begins
  }

  /// Compares the bit rates of the two versions. A host may have encoded its files again.
  private mutating func measurePace(_ place: StreamTime, _ mapped: StreamTime) {
    let origin = origin ?? (place, mapped)
    self.origin = origin
    let (new, old) = (place - origin.place, mapped - origin.mapped)
    guard new > Self.pacedSpan, old > Self.pacedSpan else { return }
    let pace = new.seconds / old.seconds
    self.pace = abs(pace - 1) < Self.paceTolerance ? 1 : pace
  }

  private mutating func compare(_ packet: PacketPrint) -> Step {
    freshCount += 1
    guard let overlap = stitcher?.offer(packet) else {
      // The comparison starts again after an advertisement, or after packets that do not fit.
      if stitcher?.fitsNowhere != false || stitcher?.isFull != false { restartComparison() }
      return .dropped
    }
    guard case .overlap(_, isProven: true)? = stitcher?.verdict(expecting: overlap) else {
      restartComparison()
      return .dropped
    }
    phase = .idle
    stitcher = nil
    return .joined(lost: freshCount - overlap)
  }

  private mutating func restartComparison() {
    stitcher?.beginComparison()
    freshCount = 0
  }
}
