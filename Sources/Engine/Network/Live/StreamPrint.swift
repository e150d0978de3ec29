import Framing

/// Digests of a stream's packets: after each of the first packets, then at growing intervals. The memory is bounded and
/// reserved in `init`.
struct StreamPrint {
  /// Number of packets.
  private(set) var count = 0
  /// Digest of all packets.
  private(set) var digest = Self.start
  private var early: [UInt64] = []
  /// Digests after the early packets, `interval` packets apart.
  private var late: [UInt64] = []
  private var interval = 1

  /// Digest without packets.
  static let start: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Number of packets with a digest each: 100 s of MP3.
  static let earlyCount = 4_096
  private static let maxLateCount = 4_096

  init() {
    early.reserveCapacity(Self.earlyCount)
    late.reserveCapacity(Self.maxLateCount)
  }

  mutating func removeAll() {
    early.removeAll(keepingCapacity: true)
    late.removeAll(keepingCapacity: true)
    (count, digest, interval) = (0, Self.start, 1)
  }

  mutating func append(_ packet: PacketPrint) {
    digest = packet.digest(after: digest)
    count += 1
    guard count > Self.earlyCount else { return early.append(digest) }
    guard (count - Self.earlyCount) % interval == 0 else { return }
    late.append(digest)
    if late.count == Self.maxLateCount { removeHalf() }
  }

  /// Doubles the interval.
  private mutating func removeHalf() {
    for index in 0..<late.count / 2 { late[index] = late[2 * index + 1] }
    late.removeLast(late.count - late.count / 2)
    interval *= 2
  }

  /// Returns the digest of the first `count` packets; nil if not stored.
  func digest(of count: Int) -> UInt64? {
    if count == self.count { return digest }
    guard count > 0, count < self.count else { return nil }
    guard count > Self.earlyCount else { return early[count - 1] }
    let (index, rest) = (count - Self.earlyCount).quotientAndRemainder(dividingBy: interval)
    return rest == 0 ? late[index - 1] : nil
  }

  /// Replaces the digest of the first `count` packets, because the last of these packets was damaged.
  mutating func replaceDigest(of count: Int, by digest: UInt64) {
    if count == self.count { self.digest = digest }
    guard count > 0, count <= self.count else { return }
    guard count > Self.earlyCount else { return early[count - 1] = digest }
    let (index, rest) = (count - Self.earlyCount).quotientAndRemainder(dividingBy: interval)
    if rest == 0 { late[index - 1] = digest }
  }
}
