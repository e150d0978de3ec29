/// What the side information of MPEG-1 Layer III says of one granule of one channel (ISO 11172-3 2.4.1.7).
struct Granule {
  /// Bits of main data (part2_3_length).
  let bitCount: Int
  /// Pairs of large values (big_values).
  let bigPairs: Int
  /// The table of the values behind them (count1table_select).
  let smallTable: Int
  private let factorBits: (Int, Int)
  private let isShort: Bool
  private let isMixed: Bool
  private let isSwitched: Bool
  private var tables = (0, 0, 0)
  private var bands = (0, 0)

  /// Reads its 59 bits.
  init(_ side: inout BitReader) {
    bitCount = side.read(12)
    bigPairs = side.read(9)
    side.place += 8
    let factors = side.read(4)
    factorBits = (Self.factorBits[factors] >> 4, Self.factorBits[factors] & 15)
    isSwitched = side.read(1) == 1
    if isSwitched {
      isShort = side.read(2) == 2
      isMixed = side.read(1) == 1
      tables = (side.read(5), side.read(5), 0)
      side.place += 9
    } else {
      (isShort, isMixed) = (false, false)
      tables = (side.read(5), side.read(5), side.read(5))
      bands = (side.read(4) + 1, side.read(3) + 1)
      bands.1 += bands.0
    }
    side.place += 2
    smallTable = side.read(1)
  }

  /// Bits of a scale factor in the lower and in the upper bands, by scalefac_compress.
  private static let factorBits: InlineArray<16, Int> = [
    0x00, 0x01, 0x02, 0x03, 0x30, 0x11, 0x12, 0x13, 0x21, 0x22, 0x23, 0x31, 0x32, 0x33, 0x42, 0x43,
  ]

  /// Bands in each group of scale factors.
  private static let groupBands: InlineArray<4, Int> = [6, 5, 5, 5]

  /// Passes the scale factors; a bit of `kept` (scfsi) says that a group of bands has those of the granule before.
  func skipFactors(_ data: inout BitReader, kept: Int) {
    if isShort {
      data.place += (isMixed ? 17 : 18) * factorBits.0 + 18 * factorBits.1
    } else {
      for group in 0..<4 where kept >> (3 - group) & 1 == 0 {
        data.place += Self.groupBands[group] * (group < 2 ? factorBits.0 : factorBits.1)
      }
    }
  }

  /// Which table has the codes of the pair at `line`.
  func table(at line: Int, _ rate: Int) -> Int {
    if isSwitched { return line < 36 ? tables.0 : tables.1 }
    return line < Self.line(bands.0, rate) ? tables.0 : line < Self.line(bands.1, rate) ? tables.1 : tables.2
  }

  /// Where a band of long blocks begins, by the index of the sample rate: 44.1, 48, 32 kHz.
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
