import SeededRandom

/// FLAC streams built bit by bit (RFC 9639), independent of the code under test.
enum FlacBuild {
  struct Form {
    var rate = 44_100
    var channels = 2
    var bits = 16
    var blockSize = 96
    var isVariable = false
    /// True if frame headers contain rate and depth; false if they refer to STREAMINFO.
    var tellsAll = true
  }

  static func frame(
    _ number: Int, _ form: Form = Form(), blockSize: Int? = nil, isConstant: Bool = false, seed: UInt64? = nil
  ) -> [UInt8] {
    let size = blockSize ?? form.blockSize
    var random = SeededGenerator(seed ?? UInt64(number) &+ 77)
    var writer = BitWriter(header(number, form, blockSize: size))
    for _ in 0..<form.channels {
      // A zero bit, the subframe type, and a zero bit for "no wasted bits".
      writer.put(isConstant ? 0 : 2, 8)
      for _ in 0..<(isConstant ? 1 : size) {
        writer.put(random.next() & (1 << UInt64(form.bits) - 1), form.bits)
      }
    }
    return sealed(writer.bytes)
  }

  /// Appends the CRC-16 that ends a frame.
  static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let sum = remainder(bytes, 0x8005, 16)
    return bytes + [UInt8(sum >> 8), UInt8(sum & 0xFF)]
  }

  static func header(_ number: Int, _ form: Form = Form(), blockSize: Int? = nil) -> [UInt8] {
    let size = (blockSize ?? form.blockSize) - 1
    let depths = [8: 1, 12: 2, 16: 4, 20: 5, 24: 6, 32: 7]
    let rateCode =
      !form.tellsAll ? 0 : form.rate % 1_000 == 0 && form.rate < 256_000 ? 12 : form.rate < 65_536 ? 13 : 14
    let depth = form.tellsAll ? depths[form.bits] ?? 0 : 0
    var bytes: [UInt8] = [0xFF, form.isVariable ? 0xF9 : 0xF8]
    bytes += [UInt8(size < 256 ? 0x60 : 0x70) | UInt8(rateCode), UInt8((form.channels - 1) << 4 | depth << 1)]
    bytes += coded(form.isVariable ? number * form.blockSize : number)
    bytes += size < 256 ? [UInt8(size)] : [UInt8(size >> 8), UInt8(size & 0xFF)]
    switch rateCode {
    case 12: bytes += [UInt8(form.rate / 1_000)]
    case 13: bytes += [UInt8(form.rate >> 8), UInt8(form.rate & 0xFF)]
    case 14: bytes += [UInt8((form.rate / 10) >> 8), UInt8(form.rate / 10 & 0xFF)]
    default: break
    }
    return bytes + [UInt8(remainder(bytes, 0x07, 8))]
  }

  /// A number of up to 36 bits in the coding of UTF-8.
  static func coded(_ number: Int) -> [UInt8] {
    if number < 0x80 { return [UInt8(number)] }
    var rest = number
    var bytes: [UInt8] = []
    var room = 64
    while rest >= room {
      bytes.insert(UInt8(0x80 | rest & 0x3F), at: 0)
      rest >>= 6
      room = bytes.count == 1 ? 32 : room / 2
    }
    let mark = UInt8(truncatingIfNeeded: 0xFF << (7 - bytes.count))
    return [mark | UInt8(rest)] + bytes
  }

  /// Remainder of `bytes`, followed by `width` zero bits, divided by a polynomial; computed bit by bit.
  static func remainder(_ bytes: [UInt8], _ polynomial: UInt32, _ width: UInt32) -> UInt32 {
    var rest: UInt32 = 0
    for byte in bytes + [UInt8](repeating: 0, count: Int(width / 8)) {
      for bit in (0..<8).reversed() {
        let carry = rest >> (width - 1) & 1
        rest = (rest << 1 | UInt32(byte >> UInt8(bit) & 1)) & (1 << width - 1)
        if carry == 1 { rest ^= polynomial }
      }
    }
    return rest
  }

  static func info(_ form: Form = Form(), sampleCount: Int = 0, least: Int? = nil) -> [UInt8] {
    var writer = BitWriter([])
    writer.put(UInt64(least ?? (form.isVariable ? 16 : form.blockSize)), 16)
    writer.put(UInt64(form.isVariable ? 4_096 : form.blockSize), 16)
    writer.put(0, 48)
    writer.put(UInt64(form.rate), 20)
    writer.put(UInt64(form.channels - 1), 3)
    writer.put(UInt64(form.bits - 1), 5)
    writer.put(UInt64(sampleCount), 36)
    return writer.bytes + [UInt8](repeating: 0xAB, count: 16)
  }

  static func block(_ type: UInt8, _ content: [UInt8], isLast: Bool = false, byteCount: Int? = nil) -> [UInt8] {
    let count = byteCount ?? content.count
    return [type | (isLast ? 0x80 : 0), UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] + content
  }

  static func comments(_ fields: [String]) -> [UInt8] {
    func text(_ text: String) -> [UInt8] { number(text.utf8.count) + text.utf8 }
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    return text("test") + number(fields.count) + fields.flatMap { text($0) }
  }

  static func point(_ sample: UInt64, _ byte: UInt64) -> [UInt8] {
    func number(_ value: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
    }
    return number(sample) + number(byte) + [0, 96]
  }

  static func head(_ form: Form = Form(), sampleCount: Int = 0, blocks: [[UInt8]] = []) -> [UInt8] {
    let info = info(form, sampleCount: sampleCount)
    return Array("fLaC".utf8) + block(0, info, isLast: blocks.isEmpty) + Array(blocks.joined())
  }

  private struct BitWriter {
    var bytes: [UInt8]
    private var free = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func put(_ value: UInt64, _ count: Int) {
      for bit in (0..<count).reversed() {
        if free == 0 {
          bytes.append(0)
          free = 8
        }
        free -= 1
        bytes[bytes.count - 1] |= UInt8(value >> UInt64(bit) & 1) << UInt8(free)
      }
    }
  }
}
