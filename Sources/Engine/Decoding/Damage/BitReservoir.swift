/// The last main data of Layer III packets, which the next packet may use (ISO 11172-3 2.4.3.4).
/// libmad retains only the bytes that the next packet's header requests, but it receives each packet without that
/// header.
struct BitReservoir: ~Copyable {
  /// The maximum `main_data_begin` in MPEG-1; 255 in MPEG-2.
  static let capacity = 511

  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.capacity)
  private(set) var count = 0

  deinit { bytes.deallocate() }

  mutating func clear() { count = 0 }

  /// Copies the newest `wanted` bytes, or fewer if fewer are stored; returns their count.
  func copyLast(_ wanted: Int, to target: UnsafeMutableRawPointer) -> Int {
    let lent = min(wanted, count)
    target.copyMemory(from: bytes + (count - lent), byteCount: lent)
    return lent
  }

  mutating func append(_ data: UnsafeBufferPointer<UInt8>) {
    guard let end = data.baseAddress.map({ $0 + data.count }) else { return }
    let added = min(data.count, Self.capacity)
    let kept = min(count, Self.capacity - added)
    assert(kept >= 0 && kept <= count && kept + added <= Self.capacity, "the newest bytes have room")
    bytes.update(from: bytes + (count - kept), count: kept)
    (bytes + kept).update(from: end - added, count: added)
    count = kept + added
  }
}
