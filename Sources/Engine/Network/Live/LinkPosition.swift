import Blocks
import Units

/// The end of the last packet in a logical Ogg stream. A packet's number shows its relation to that end.
struct LinkPosition: Equatable {
  enum Relation: Equatable {
    /// The packet ends before, or at the end if `reachesEnd`.
    case repeated(reachesEnd: Bool)
    /// The packet starts at the end, and its decoder state is known.
    case next
    /// Duration of the missing audio between the end and the packet.
    case missing(StreamTime)
    /// Another stream, or contradicting numbers.
    case unrelated
  }

  private let link: UInt32
  private let format: PacketFormat
  private let end: Int

  /// Returns nil if the packet has no number.
  init?(after info: PacketInfo) {
    guard let link = info.link, let first = info.firstFrame, first <= Self.maxFrame else { return nil }
    (self.link, format) = (link, info.format)
    end = first + info.audibleFrames
  }

  /// Limit for valid numbers, so that sums cannot overflow.
  private static let maxFrame = 1 << 60

  func relation(to info: PacketInfo) -> Relation {
    guard let other = LinkPosition(after: info), other.link == link, other.format == format else { return .unrelated }
    let first = other.end - info.audibleFrames
    if first == end, !info.followsGap { return .next }
    if other.end <= end { return .repeated(reachesEnd: other.end == end) }
    guard first >= end, let missing = StreamTime(checking: first - end, at: format.sampleRate) else {
      return .unrelated
    }
    return .missing(missing)
  }
}

extension PacketInfo {
  fileprivate var audibleFrames: Int { max(0, headerFrames - mutedHead - mutedTail) }
}
