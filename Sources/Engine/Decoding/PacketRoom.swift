/// Puts the pieces of a long packet together, in room that grows to what the longest packet needs.
struct PacketRoom: ~Copyable {
  /// Longer packets than this are refused, in bytes.
  static let mostBytes = 524_288
  /// Zeros behind a packet, in bytes.
  private static let guardByteCount = PacketDecoder.guardByteCount

  private var room: UnsafeMutablePointer<UInt8>?
  private var capacity = 0

  deinit { room?.deallocate() }

  /// A packet of `byteCount` bytes in one piece, with zeros behind it; nil where it has more or fewer, or too many.
  ///
  /// Its first `firstCount` bytes lie in `bytes`, where `more` writes the next ones until it says 0. A packet of one
  /// piece stays where it is.
  mutating func whole(
    _ bytes: UnsafeMutablePointer<UInt8>, _ byteCount: Int, firstCount: Int,
    more: (UnsafeMutablePointer<UInt8>) -> Int
  ) -> UnsafeMutablePointer<UInt8>? {
    let isAllowed = (1...Self.mostBytes).contains(byteCount)
    if isAllowed, firstCount == byteCount {
      (bytes + byteCount).update(repeating: 0, count: Self.guardByteCount)
      return bytes
    }
    let most = isAllowed ? byteCount : 0
    let target = room(most + Self.guardByteCount)
    var (place, count) = (0, firstCount)
    // To the end whatever comes, so that the packet behind it is next.
    while count > 0 {
      if place + count <= most { (target + place).update(from: bytes, count: count) }
      place += count
      count = more(bytes)
    }
    guard isAllowed, place == byteCount else { return nil }
    (target + byteCount).update(repeating: 0, count: Self.guardByteCount)
    return target
  }

  private mutating func room(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if let room, count <= capacity { return room }
    room?.deallocate()
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    (room, capacity) = (new, count)
    return new
  }
}
