/// A contiguous buffer of received stream bytes that are not consumed yet. The buffer starts small and grows only if
/// the awaited data does not fit. Each byte is moved a few times at most.
struct ByteWindow: ~Copyable {
  private(set) var storage: [UInt8]
  private(set) var buffered = 0..<0
  /// Stream position of the first buffered byte.
  private(set) var position = 0
  private let minByteCount: Int
  private let maxByteCount: Int

  /// Never wait for more than seven eighths of `maxByteCount`: moving bytes needs the rest.
  init(least: Int, most: Int) {
    storage = [UInt8](repeating: 0, count: least)
    (self.minByteCount, self.maxByteCount) = (least, most)
  }

  var count: Int { buffered.count }
  var isEmpty: Bool { buffered.isEmpty }

  mutating func append(_ bytes: Span<UInt8>) -> Int {
    guard bytes.count > 0 else { return 0 }
    if buffered.upperBound == storage.count { makeRoom() }
    let place = buffered.upperBound
    let count = min(bytes.count, storage.count - place)
    unsafe storage.withUnsafeMutableBytes { room in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[place..<place + count])
      unsafe bytes.extracting(0..<count).withUnsafeBytes { source in unsafe rest.copyMemory(from: source) }
    }
    buffered = buffered.lowerBound..<place + count
    return count
  }

  mutating func drop(_ count: Int) {
    let count = min(count, buffered.count)
    buffered = buffered.lowerBound + count..<buffered.upperBound
    position += count
    if buffered.isEmpty { buffered = 0..<0 }
  }

  mutating func skipUnbuffered(_ count: Int) { if buffered.isEmpty { position = position.clampedSum(count) } }

  mutating func reset(at position: Int) {
    buffered = 0..<0
    self.position = position
    if storage.count > minByteCount { storage = [UInt8](repeating: 0, count: minByteCount) }
  }

  private mutating func makeRoom() {
    let held = buffered
    if held.lowerBound >= max(1, storage.count / 8) {
      unsafe storage.withUnsafeMutableBytes { room in
        unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[held]))
      }
    } else if storage.count < maxByteCount {
      var larger = [UInt8](repeating: 0, count: min(maxByteCount, 2 * storage.count))
      larger.replaceSubrange(0..<held.count, with: storage[held])
      storage = larger
    } else {
      return
    }
    self.buffered = 0..<held.count
  }
}

extension Int {
  /// Returns `Int.max` on overflow, because stream positions are sums of untrusted lengths.
  func clampedSum(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
