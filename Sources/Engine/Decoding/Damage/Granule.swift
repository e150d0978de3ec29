/// The Layer III side information of one granule and channel (ISO 11172-3 2.4.1.7, also ISO 13818-3).
struct Granule {
  /// The main data's length in bits (part2_3_length).
  let bitCount: Int
  /// Pairs of large values (big_values).
  let bigPairs: Int
  /// The table for the small values after the pairs (count1table_select).
  let smallTable: Int
  private let factorBits: (Int, Int)
  private let blockType: Int
  private let isMixed: Bool
  private let isSwitched: Bool
  private var tables = (0, 0, 0)
  private var bands = (0, 0)

  /// Reads 59 bits, or 63 in MPEG-2, whose scale factor fields are skipped.
  init(_ side: inout BitReader, isMpeg1: Bool = true) {
    bitCount = side.read(12)
    bigPairs = side.read(9)
    side.place += 8
    let factors = isMpeg1 ? side.read(4) : 0
    if !isMpeg1 { side.place += 9 }
    factorBits = (Self.factorBits[factors] >> 4, Self.factorBits[factors] & 15)
    isSwitched = side.read(1) == 1
    if isSwitched {
      blockType = side.read(2)
      isMixed = side.read(1) == 1
      tables = (side.read(5), side.read(5), 0)
      side.place += 9
    } else {
      (blockType, isMixed) = (0, false)
      tables = (side.read(5), side.read(5), side.read(5))
      bands = (side.read(4) + 1, side.read(3) + 1)
      bands.1 += bands.0
    }
    side.place += isMpeg1 ? 2 : 1
    smallTable = side.read(1)
  }

  /// Bits of a scale factor in the lower and upper bands, by scalefac_compress.
  private static let factorBits: InlineArray<16, Int> = [
    0x00, 0x01, 0x02, 0x03, 0x30, 0x11, 0x12, 0x13, 0x21, 0x22, 0x23, 0x31, 0x32, 0x33, 0x42, 0x43,
  ]

  private static let groupBands: InlineArray<4, Int> = [6, 5, 5, 5]

  /// Skips the scale factors. A bit of `kept` (scfsi) marks a group that reuses the previous granule's scale factors.
  func skipFactors(_ data: inout BitReader, kept: Int) {
    if blockType == 2 {
      data.place += (isMixed ? 17 : 18) * factorBits.0 + 18 * factorBits.1
    } else {
      for group in 0..<4 where kept >> (3 - group) & 1 == 0 {
        data.place += Self.groupBands[group] * (group < 2 ? factorBits.0 : factorBits.1)
      }
    }
  }

  /// Returns true if an encoder may write this: valid blocks and tables, and not too many values.
  /// A bit of `kept` (scfsi) marks reused scale factors, which short blocks must not have. In MPEG-2 (`rate` is nil),
  /// all tables must be valid if there are big values.
  func isPossible(keeps kept: Int, _ rate: Int?) -> Bool {
    guard bigPairs <= 288, !isSwitched || blockType != 0, blockType != 2 || kept == 0 else { return false }
    guard !Self.isMissing(tables.0) else { return false }
    guard let rate else { return bigPairs == 0 || !Self.isMissing(tables.1) && !Self.isMissing(tables.2) }
    let last = bigPairs == 0 ? 0 : 2 * bigPairs - 2
    let reachesThird = !isSwitched && last >= Self.line(bands.1, rate)
    let reachesSecond = last >= (isSwitched ? 36 : Self.line(bands.0, rate))
    return !(reachesSecond && Self.isMissing(tables.1)) && !(reachesThird && Self.isMissing(tables.2))
  }

  /// Returns true for the two numbers without a table.
  private static func isMissing(_ table: Int) -> Bool { table == 4 || table == 14 }

  func hasBlocks(of other: Granule) -> Bool { blockType == other.blockType && isMixed == other.isMixed }

  func table(at line: Int, _ rate: Int) -> Int {
    if isSwitched { return line < 36 ? tables.0 : tables.1 }
    return line < Self.line(bands.0, rate) ? tables.0 : line < Self.line(bands.1, rate) ? tables.1 : tables.2
  }

  /// Returns the first line of a long block's band. `rate` is the sample rate's index: 44.1, 48, 32 kHz.
  private static func line(_ band: Int, _ rate: Int) -> Int {
    let index = min(22, band)
    return rate == 0 ? lines44[index] : rate == 1 ? lines48[index] : lines32[index]
  }

  private static let lines44: InlineArray<23, Int> = [
    0, 4, 8, 12, 16, 20, 24, 30, 36, 44, 52, 62, 74, 90, 110, 134, 162, 196, 238, 288, 342, 418, 576,
  ]
  private static let lines48: InlineArray<23, Int> = [
    0, 4, 8, 12, 16, 20, 24, 30, 36, 42, 50, 60, 72, 88, 106, 128, 156, 190, 230, 276, 330, 384, 576,
  ]
  private static let lines32: InlineArray<23, Int> = [
    0, 4, 8, 12, 16, 20, 24, 30, 36, 44, 54, 66, 82, 102, 126, 156, 194, 240, 296, 364, 448, 550, 576,
  ]
}
