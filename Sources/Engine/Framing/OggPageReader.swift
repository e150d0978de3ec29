/// Finds the pages in a stream of Ogg. A page is believed when it is whole and its checksum is right; else the search
/// goes on one byte further.
struct OggPageReader: ~Copyable {
  /// Bytes of false pages that may be computed before candidates are passed over unseen.
  private static let mostDebt = 4 * OggPage.mostBytes
  /// So many bytes of false pages are computed for each byte that passes: false pages that lie in each other must not
  /// cost their length times their number.
  private static let workPerByte = 4

  /// What is held lies in it.
  private var buffer = [UInt8](repeating: 0, count: 16_384)
  private var held = 0..<0
  /// Bytes that are needed to judge what is held.
  private var need = OggPage.headByteCount
  /// Bytes of false pages that were computed, less what has passed since.
  private var debt = 0
  private var isFinal = false
  /// Where the first held byte stood in the stream.
  private var byteOffset = 0

  /// Bytes that belong to no page.
  private(set) var skippedByteCount = 0

  /// A reader at the beginning of a stream.
  init() {}

  /// Bytes that are held.
  var heldByteCount: Int { held.count }

  /// Where the page lies that was found.
  func place(of page: OggPage) -> (buffer: [UInt8], range: Range<Int>) {
    (buffer, held.lowerBound..<held.lowerBound + page.byteCount)
  }

  /// Takes as many bytes as fit, and says how many: after `next` was nil, at least one.
  mutating func append(_ bytes: Span<UInt8>) -> Int {
    precondition(!isFinal, "nothing is appended to a stream that is finished")
    let count = min(bytes.count, buffer.count - held.count)
    if held.upperBound + count > buffer.count { moveToFront() }
    let place = held.upperBound
    for index in 0..<count { buffer[place + index] = bytes[index] }
    held = held.lowerBound..<place + count
    return count
  }

  /// Says that no more bytes will come.
  mutating func finish() { isFinal = true }

  /// Begins at the byte `offset` of a stream.
  mutating func reset(at offset: Int) {
    held = 0..<0
    need = OggPage.headByteCount
    (debt, isFinal) = (0, false)
    (byteOffset, skippedByteCount) = (offset, 0)
  }

  /// The next page, which stays held until it is passed; nil when more bytes are needed.
  mutating func next() -> OggPage? {
    while held.count >= need || isFinal && !held.isEmpty {
      switch look() {
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

  /// Passes the page that was found.
  mutating func pass(_ page: OggPage) { pass(page.byteCount) }

  /// What stands at the first held byte.
  private enum Step {
    case page(OggPage)
    case falsePage(Int)
    case garbage(Int)
    case cut(Int)
  }

  private func look() -> Step {
    if debt > Self.mostDebt {
      return .garbage(min(held.count, (debt - Self.mostDebt) / Self.workPerByte + 1))
    }
    let bytes = buffer.span.extracting(held)
    var first = 0
    while first < bytes.count, !Self.mayBegin(bytes, at: first) { first += 1 }
    guard first == 0 else { return .garbage(first) }
    switch OggPage.search(bytes) {
    case .found(let page): return page.isSound(bytes) ? .page(page) : .falsePage(page.byteCount)
    case .nothing: return .garbage(1)
    case .cut(let count): return .cut(count)
    }
  }

  /// Whether the capture pattern stands at `offset`, as far as there are bytes.
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

  /// Makes the buffer twice as long as what is needed, so that bytes are seldom moved to the front.
  private mutating func makeRoom() {
    var length = buffer.count
    while length < 2 * need { length *= 2 }
    guard length > buffer.count else { return }
    moveToFront()
    buffer.append(contentsOf: repeatElement(0, count: length - buffer.count))
  }

  private mutating func moveToFront() {
    for (place, index) in held.enumerated() { buffer[place] = buffer[index] }
    held = 0..<held.count
  }
}
