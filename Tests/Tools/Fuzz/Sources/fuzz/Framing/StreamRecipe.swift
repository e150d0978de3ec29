/// A stream by a recipe: packets, bytes between packets, and damage.
struct StreamRecipe {
  /// The format of most packets.
  enum Family {
    case mpeg, adts
  }

  private(set) var bytes: [UInt8] = []
  private var header: [UInt8] = [0xFF, 0xFB, 0x90, 0x44]
  private var freeByteCount = 300
  private var family: Family

  init(_ recipe: inout Recipe, _ family: Family) {
    self.family = family
    // Rarely more bytes than a framer's buffer, because that is slow.
    let choice = recipe.byte()
    let longest = choice == 0xFF ? 30_000 : choice >= 0xFC ? 8_000 : choice >= 0xE0 ? 2_000 : 700
    setFormat(&recipe)
    while !recipe.isOver, bytes.count < longest {
      switch recipe.number(0...11) {
      case 0...3: addPackets(&recipe)
      case 4: setFormat(&recipe)
      case 5: addTag(&recipe)
      case 6: bytes += recipe.take(recipe.number(0...40))
      case 7: damage(&recipe)
      case 8: bytes.removeLast(min(bytes.count, recipe.number(1...500)))
      case 9: for _ in 0...recipe.number(0...7) { bytes += header }
      case 10: freeByteCount = recipe.number(8...5_100)
      default:
        self.family = self.family == .mpeg ? .adts : .mpeg
        setFormat(&recipe)
      }
    }
  }

  private mutating func setFormat(_ recipe: inout Recipe) {
    let (second, third, fourth) = (recipe.byte(), recipe.byte(), recipe.byte())
    header =
      switch family {
      case .mpeg: [0xFF, second | 0xE0, third, fourth]
      case .adts: [0xFF, second & 0x09 | 0xF0, third, fourth & 0xC0]
      }
  }

  private mutating func addPackets(_ recipe: inout Recipe) {
    let count = recipe.number(1...4)
    let fill = recipe.byte()
    for _ in 0..<count {
      let start = bytes.count
      let length = family == .mpeg ? mpegByteCount : adtsByteCount(recipe.byte())
      bytes += family == .mpeg ? header : adtsHeader(length)
      let rest = max(0, length - (bytes.count - start))
      var noise = Noise(fill)
      switch fill & 7 {
      case 0: bytes += (0..<rest).map { _ in noise.byte() }
      case 1: bytes += [UInt8](repeating: 0xFF, count: rest)
      case 2: bytes += recipe.take(rest)
      case 3: bytes += (0..<rest).map { _ in noise.byte() & 0x7F }
      default: bytes += [UInt8](repeating: noise.byte() & 0x7F, count: rest)
      }
      if family == .mpeg, fill & 8 != 0 { header[2] ^= 2 }
    }
  }

  /// The packet size according to the header (ISO 11172-3 2.4.3.1), computed independently.
  private var mpegByteCount: Int {
    let version = header[1] >> 3 & 3
    let layer = 4 - header[1] >> 1 & 3
    let index = Int(header[2] >> 4)
    let base = [44_100, 48_000, 32_000, 44_100][Int(header[2] >> 2 & 3)]
    let hertz = version == 3 ? base : version == 2 ? base / 2 : base / 4
    let padding = Int(header[2] >> 1 & 1)
    guard index > 0, index < 15 else { return freeByteCount + (layer == 1 ? 4 * padding : padding) }
    let kilobits = Self.kilobits(isMpeg1: version == 3, layer: layer)[index]
    switch layer {
    case 1: return (12_000 * kilobits / hertz + padding) * 4
    case 3 where version != 3: return 72_000 * kilobits / hertz + padding
    default: return 144_000 * kilobits / hertz + padding
    }
  }

  private static func kilobits(isMpeg1: Bool, layer: UInt8) -> [Int] {
    switch (isMpeg1, layer) {
    case (true, 1): (0...14).map { $0 * 32 }
    case (true, 2): [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (true, _): [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (false, 1): [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    default: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }

  private func adtsByteCount(_ choice: UInt8) -> Int {
    choice < 250 ? 9 + Int(choice) * 3 : [0, 7, 9, 4_999, 5_001, 8_191][Int(choice) - 250]
  }

  private func adtsHeader(_ length: Int) -> [UInt8] {
    let tail = [UInt8(length >> 3 & 0xFF), UInt8(length & 7) << 5 | 0x1F, 0xFC]
    return [header[0], header[1], header[2], header[3] | UInt8(length >> 11 & 3)] + tail
  }

  private mutating func addTag(_ recipe: inout Recipe) {
    let length = recipe.pick([10, 0, 200, 3_000, 40_000])
    let content = recipe.take(recipe.number(0...30))
    switch recipe.number(0...4) {
    case 0:
      bytes += Array("ID3".utf8) + [recipe.pick([4, 3, 2, 1, 5]), 0, recipe.pick([0, 0x10])]
      bytes += [0, UInt8(length >> 14 & 0x7F), UInt8(length >> 7 & 0x7F), UInt8(length & 0x7F)]
      bytes += content
    case 1: bytes += Array("TAG".utf8) + content
    case 2:
      bytes += Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, UInt8(length & 0xFF), UInt8(length >> 8 & 0xFF), 0, 0]
      bytes += [1, 0, 0, 0, 0, 0, 0, recipe.pick([0xA0, 0x80])] + content
    case 3: bytes += Array("LYRICSBEGININD0000200LYR000".utf8) + content + Array("000046LYRICS200".utf8)
    default: bytes += content + [UInt8](repeating: 0, count: min(length, 3_000))
    }
  }

  private mutating func damage(_ recipe: inout Recipe) {
    let place = bytes.count - 1 - recipe.number(0...3_000)
    let bit = recipe.byte() & 7
    if place >= 0 { bytes[place] ^= 1 << bit }
  }
}
