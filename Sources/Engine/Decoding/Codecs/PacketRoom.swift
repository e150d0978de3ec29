/// Joins the parts of a long packet, in memory that grows to the longest packet.
struct PacketRoom: ~Copyable {
  static let maxBytes = 524_288
  private static let guardByteCount = PacketDecoder.guardByteCount

  private var room: UnsafeMutablePointer<UInt8>?
  private var capacity = 0

  deinit { room?.deallocate() }

  /// Returns a packet of `byteCount` bytes in one piece, followed by zeros. Returns nil if the parts have another total
  /// size, or if the packet exceeds `maxBytes`. `bytes` contains the first part of `firstCount` bytes. `more`
  /// overwrites `bytes` with the next part; it returns the part's size, 0 at the end. A packet with one part is not
  /// copied.
  mutating func whole(
    _ bytes: UnsafeMutablePointer<UInt8>, _ byteCount: Int, firstCount: Int,
    more: (UnsafeMutablePointer<UInt8>) -> Int
  ) -> UnsafeMutablePointer<UInt8>? {
    let isAllowed = (1...Self.maxBytes).contains(byteCount)
    if isAllowed, firstCount == byteCount {
      (bytes + byteCount).update(repeating: 0, count: Self.guardByteCount)
      return bytes
    }
    let most = isAllowed ? byteCount : 0
    let target = room(most + Self.guardByteCount)
    var (place, count) = (0, firstCount)
    // Reads all parts even after an error, so that the next read starts with the next packet.
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
