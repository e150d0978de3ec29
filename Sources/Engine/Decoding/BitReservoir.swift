/// The last main data of Layer III packets, into which the next one reaches back (ISO 11172-3 2.4.3.4).
///
/// libmad keeps of it what the following header asks for, and a packet that is decoded alone is followed by none.
struct BitReservoir: ~Copyable {
  /// As far as `main_data_begin` reaches back in MPEG-1; 255 in MPEG-2.
  static let capacity = 511

  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.capacity)
  /// Bytes held.
  private(set) var count = 0

  deinit { bytes.deallocate() }

  mutating func clear() { count = 0 }

  /// Writes the newest `wanted` bytes, or as many as are held; returns how many.
  func copyLast(_ wanted: Int, to target: UnsafeMutableRawPointer) -> Int {
    let lent = min(wanted, count)
    target.copyMemory(from: bytes + (count - lent), byteCount: lent)
    return lent
  }

  /// Takes a packet's main data, and lets go of the oldest.
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
