/// A contiguous buffer of received stream bytes that are not consumed yet. The buffer starts small and grows only if
/// the awaited data does not fit. Each byte is moved a few times at most.
struct ByteWindow: ~Copyable {
  private(set) var storage: [UInt8]
  private(set) var held = 0..<0
  /// Stream position of the first buffered byte.
  private(set) var position = 0
  private let least: Int
  private let most: Int

  /// Never wait for more than seven eighths of `most`: moving bytes needs the rest.
  init(least: Int, most: Int) {
    storage = [UInt8](repeating: 0, count: least)
    (self.least, self.most) = (least, most)
  }

  var count: Int { held.count }
  var isEmpty: Bool { held.isEmpty }

  /// Appends as many bytes as fit; returns their number.
  mutating func append(_ bytes: Span<UInt8>) -> Int {
    guard bytes.count > 0 else { return 0 }
    if held.upperBound == storage.count { makeRoom() }
    let place = held.upperBound
    let count = min(bytes.count, storage.count - place)
    unsafe storage.withUnsafeMutableBytes { room in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[place..<place + count])
      unsafe bytes.extracting(0..<count).withUnsafeBytes { source in unsafe rest.copyMemory(from: source) }
    }
    held = held.lowerBound..<place + count
    return count
  }

  mutating func drop(_ count: Int) {
    let count = min(count, held.count)
    held = held.lowerBound + count..<held.upperBound
    position += count
    if held.isEmpty { held = 0..<0 }
  }

  mutating func pass(_ count: Int) { if held.isEmpty { position = position.clampedSum(count) } }

  mutating func reset(at position: Int) {
    held = 0..<0
    self.position = position
    if storage.count > least { storage = [UInt8](repeating: 0, count: least) }
  }

  private mutating func makeRoom() {
    let held = held
    if held.lowerBound >= max(1, storage.count / 8) {
      unsafe storage.withUnsafeMutableBytes { room in
        unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[held]))
      }
    } else if storage.count < most {
      var larger = [UInt8](repeating: 0, count: min(most, 2 * storage.count))
      larger.replaceSubrange(0..<held.count, with: storage[held])
      storage = larger
    } else {
      return
    }
    self.held = 0..<held.count
  }
}

extension Int {
  /// Returns `Int.max` on overflow, because stream positions are sums of untrusted lengths.
  func clampedSum(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
