/// Finds the complete pages with a correct checksum in an Ogg stream. Otherwise the search continues at the next byte.
struct OggPageReader: ~Copyable {
  /// Maximum `debt`, in bytes. Above this limit, the search skips bytes unchecked.
  private static let maxDebt = 4 * OggPage.maxByteCount
  /// Bytes of checksum work allowed per stream byte. The limit prevents quadratic cost with nested false pages.
  private static let workPerByte = 4

  private var buffer = [UInt8](repeating: 0, count: 16_384)
  private var held = 0..<0
  private var need = OggPage.headByteCount
  /// Bytes of false pages checked so far, minus the work allowed for passed bytes.
  private var debt = 0
  private var isFinal = false
  private var byteOffset = 0

  private(set) var skippedByteCount = 0

  init() {}

  var heldByteCount: Int { held.count }

  func place(of page: OggPage) -> (buffer: [UInt8], range: Range<Int>) {
    (buffer, held.lowerBound..<held.lowerBound + page.byteCount)
  }

  mutating func append(_ bytes: Span<UInt8>) -> Int {
    precondition(!isFinal, "nothing is appended to a stream that is finished")
    let count = min(bytes.count, buffer.count - held.count)
    if held.upperBound + count > buffer.count { moveToFront() }
    let place = held.upperBound
    unsafe buffer.withUnsafeMutableBytes { room in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[place..<place + count])
      unsafe bytes.extracting(0..<count).withUnsafeBytes { source in unsafe rest.copyMemory(from: source) }
    }
    held = held.lowerBound..<place + count
    return count
  }

  mutating func finish() { isFinal = true }

  mutating func reset(at offset: Int) {
    held = 0..<0
    need = OggPage.headByteCount
    (debt, isFinal) = (0, false)
    (byteOffset, skippedByteCount) = (offset, 0)
  }

  /// Returns the next page, which stays buffered until `pass`; nil if more bytes are needed.
  mutating func next() -> OggPage? {
    while held.count >= need || isFinal && !held.isEmpty {
      switch checkNext() {
      case .page(var page):
        page.byteOffset = byteOffset
        return page
      case .garbage(let count): skip(count)
      case .falsePage(let byteCount):
        debt += byteCount
        skip(1)
      case .cut(let count):
        if isFinal { skip(1) } else { need = count }
      }
    }
    makeRoom()
    return nil
  }

  mutating func pass(_ page: OggPage) { pass(page.byteCount) }

  private enum Step {
    case page(OggPage)
    case falsePage(Int)
    case garbage(Int)
    case cut(Int)
  }

  private func checkNext() -> Step {
    if debt > Self.maxDebt {
      return .garbage(min(held.count, (debt - Self.maxDebt) / Self.workPerByte + 1))
    }
    let bytes = buffer.span.extracting(held)
    var first = 0
    while first < bytes.count, !Self.mayBegin(bytes, at: first) { first += 1 }
    guard first == 0 else { return .garbage(first) }
    switch OggPage.search(bytes) {
    case .found(let page): return page.hasValidChecksum(bytes) ? .page(page) : .falsePage(page.byteCount)
    case .nothing: return .garbage(1)
    case .cut(let count): return .cut(count)
    }
  }

  private static func mayBegin(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
    guard bytes[offset] == 0x4F else { return false }
    for (index, byte) in [0x67, 0x67, 0x53].enumerated() where offset + 1 + index < bytes.count {
      guard bytes[offset + 1 + index] == byte else { return false }
    }
    return true
  }

  private mutating func skip(_ count: Int) {
    skippedByteCount += count
    pass(count)
  }

  private mutating func pass(_ count: Int) {
    held = held.lowerBound + count..<held.upperBound
    byteOffset += count
    need = OggPage.headByteCount
    debt = max(0, debt - count * Self.workPerByte)
  }

  /// Grows the buffer to at least `2 * need` bytes, so that bytes are rarely moved.
  private mutating func makeRoom() {
    var length = buffer.count
    while length < 2 * need { length *= 2 }
    guard length > buffer.count else { return }
    moveToFront()
    buffer.append(contentsOf: repeatElement(0, count: length - buffer.count))
  }

  private mutating func moveToFront() {
    unsafe buffer.withUnsafeMutableBytes { room in
      unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[held]))
    }
    held = 0..<held.count
  }
}
