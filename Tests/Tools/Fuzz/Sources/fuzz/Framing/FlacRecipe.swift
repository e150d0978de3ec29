/// A FLAC stream by a recipe: a head, and frames of constant samples with valid checksums.
struct FlacRecipe {
  private(set) var bytes: [UInt8] = []

  init(_ recipe: inout Recipe) {
    if recipe.byte() < 200 { bytes += Self.head }
    if recipe.flag() {
      let comments = CommentRecipe(&recipe).bytes
      bytes += [0x84, 0, UInt8(comments.count >> 8 & 0xFF), UInt8(comments.count & 0xFF)] + comments
    } else if bytes.count > 4 {
      bytes[4] |= 0x80
    }
    var number = 0
    while !recipe.isOver, bytes.count < 3_000 {
      switch recipe.byte() {
      case 0..<200:
        bytes += Self.frame(number: number, &recipe)
        number = (number + 1) & 127
      case 200..<220: number = recipe.number(0...127)
      case 220..<225: bytes += Self.head
      case 225..<235: bytes += Self.block(&recipe)
      case 235..<240: bytes += Array("ID3".utf8) + [4, 0, 0, 0, 0, recipe.byte() & 1, recipe.byte() & 0x7F]
      default: bytes += recipe.take(recipe.number(0...40))
      }
    }
  }

  /// The marker and STREAMINFO: blocks of up to 4,608 samples, 44,100 Hz, two channels, 16 bits.
  static let head: [UInt8] =
    Array("fLaC".utf8) + [0, 0, 0, 34, 0, 16, 0x12, 0, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, 0x42, 0xF0, 0, 0, 0, 0]
    + [UInt8](repeating: 0, count: 16)

  /// Creates a frame (RFC 9639, 9). Some have a wrong checksum.
  static func frame(number: Int, _ recipe: inout Recipe) -> [UInt8] {
    let size = recipe.pick([0xC, 0x1, 0x2, 0x8, 0x6, 0x7] as [UInt8])
    let (rate, layout) = (recipe.pick([9, 9, 9, 0, 10] as [UInt8]), recipe.pick([0x18, 0x18, 0x88, 0x08] as [UInt8]))
    var frame: [UInt8] = [0xFF, recipe.byte() < 220 ? 0xF8 : 0xF9, size << 4 | rate, layout, UInt8(number)]
    if size == 6 { frame.append(recipe.byte()) }
    if size == 7 { frame += [recipe.byte() & 0x0F, recipe.byte()] }
    frame.append(sum(frame, 8, 0x07))
    for _ in 0..<(layout == 0x08 ? 1 : 2) { frame += [0, recipe.byte(), recipe.byte()] }
    // A side channel has one more bit per sample.
    if layout == 0x88 { frame.append(0) }
    let check = sum(frame, 16, 0x8005) as UInt16
    frame += [UInt8(check >> 8), UInt8(check & 0xFF)]
    if recipe.byte() > 240 { frame[recipe.number(0...frame.count - 1)] ^= 1 }
    return frame
  }

  /// Creates a metadata block of any type, such as a seek table. Its length may be wrong.
  private static func block(_ recipe: inout Recipe) -> [UInt8] {
    let content = recipe.take(recipe.number(0...60))
    return [recipe.byte(), 0, recipe.byte() < 250 ? 0 : 1, UInt8(content.count)] + content
  }

  /// Corrects the checksums of all headers and frames. A frame extends to the next header.
  static func mended(_ bytes: [UInt8]) -> [UInt8] {
    var (bytes, start): ([UInt8], Int?) = (bytes, nil)
    for place in bytes.indices {
      guard place + 6 < bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xFE == 0xF8 else { continue }
      let (size, rate) = (bytes[place + 2] >> 4, bytes[place + 2] & 15)
      let number = max(1, (~bytes[place + 4]).leadingZeroBitCount)
      let end = place + 4 + number + (size == 6 ? 1 : size == 7 ? 2 : 0) + (rate == 12 ? 1 : rate > 12 ? 2 : 0)
      guard end < bytes.count else { break }
      bytes[end] = sum(bytes[place..<end], 8, 0x07)
      if let start { seal(&bytes, start..<place) }
      start = place
    }
    if let start { seal(&bytes, start..<bytes.count) }
    return bytes
  }

  private static func seal(_ bytes: inout [UInt8], _ frame: Range<Int>) {
    guard frame.count > 2 else { return }
    let check = sum(bytes[frame.dropLast(2)], 16, 0x8005) as UInt16
    (bytes[frame.upperBound - 2], bytes[frame.upperBound - 1]) = (UInt8(check >> 8), UInt8(check & 0xFF))
  }

  private static func sum<Sum: FixedWidthInteger & UnsignedInteger>(
    _ bytes: some Sequence<UInt8>, _ width: Int, _ key: Sum
  ) -> Sum {
    var sum = Sum(0)
    for byte in bytes {
      sum ^= Sum(byte) << Sum(width - 8)
      for _ in 0..<8 { sum = sum >> Sum(width - 1) == 0 ? sum << 1 : sum << 1 ^ key }
    }
    return sum
  }
}

/// Vorbis comments by a recipe, as in Vorbis, Opus and FLAC.
struct CommentRecipe {
  private(set) var bytes: [UInt8] = []

  init(_ recipe: inout Recipe) {
    let count = recipe.number(0...6)
    bytes = Self.text(recipe.take(recipe.number(0...9)), &recipe)
    bytes += Self.little(recipe.byte() < 220 ? count : recipe.number(0...0xFFFF_FFFF))
    for _ in 0..<count {
      let name = recipe.pick(["TITLE=", "ARTIST=", "album=", "title=", "X=", ""])
      bytes += Self.text(Array(name.utf8) + recipe.take(recipe.number(0...30)), &recipe)
    }
  }

  private static func text(_ text: [UInt8], _ recipe: inout Recipe) -> [UInt8] {
    little(recipe.byte() < 240 ? text.count : recipe.number(0...0xFFFF_FFFF)) + text
  }

  private static func little(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
