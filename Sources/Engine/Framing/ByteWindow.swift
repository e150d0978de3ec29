/// The bytes of a stream that came and are not done with, in one piece.
///
/// It begins small and grows only while what is awaited does not fit. A byte is moved a few times at most, however the
/// bytes come.
struct ByteWindow: ~Copyable {
  private(set) var storage: [UInt8]
  /// Where the bytes stand in `storage`.
  private(set) var held = 0..<0
  /// Which byte of the stream is the first one held.
  private(set) var position = 0
  private let least: Int
  private let most: Int

  /// A window of `least` bytes that grows to `most`. Of `most` an eighth is for moving: so much is never awaited.
  init(least: Int, most: Int) {
    storage = [UInt8](repeating: 0, count: least)
    (self.least, self.most) = (least, most)
  }

  /// How many bytes are held.
  var count: Int { held.count }
  /// Whether none is held.
  var isEmpty: Bool { held.isEmpty }

  /// Takes as many bytes as fit, and says how many.
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

  /// Is done with the first `count` bytes, as far as they are held.
  mutating func drop(_ count: Int) {
    let count = min(count, held.count)
    held = held.lowerBound + count..<held.upperBound
    position += count
    if held.isEmpty { held = 0..<0 }
  }

  /// Passes bytes that never came; where some are held, nothing is done.
  mutating func pass(_ count: Int) { if held.isEmpty { position = position.clampedSum(count) } }

  /// Forgets all; the byte `position` of the stream comes next.
  mutating func reset(at position: Int) {
    held = 0..<0
    self.position = position
    if storage.count > least { storage = [UInt8](repeating: 0, count: least) }
  }

  /// Moves what is held to the front where that frees an eighth at least, else grows.
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
  /// The sum, or the greatest number: positions are the sum of what a stream says of itself.
  func clampedSum(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
