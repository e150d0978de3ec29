/// The folded form of each letter, from tables that are parsed once; 15 KB.
struct FoldingTable: Sendable {
  enum Folded {
    /// Up to four ASCII letters or digits, the first in the lowest byte.
    case letters(UInt32)
    case scalars(ArraySlice<UInt32>)
    /// A mark on the previous letter; dropped.
    case nothing
    case separator
    case unknown
  }

  static let shared = FoldingTable()

  /// Tokens for consecutive scalars: one token for each, or `token*3` for three. "-" ends a word, "." drops the scalar,
  /// "=" retains it.
  private struct FoldedBlock {
    let start: UInt32
    let tokens: StaticString

    init(_ start: UInt32, _ tokens: StaticString) { (self.start, self.tokens) = (start, tokens) }
  }

  private static let separator: UInt32 = 0
  private static let nothing: UInt32 = 1
  private static let itself: UInt32 = 2

  private let starts: [UInt32]
  private let blocks: [[UInt32]]
  private let keys: [UInt32]
  private let places: [UInt16]
  private let scalars: [UInt32]

  private init() {
    starts = Self.letterBlocks.map(\.start)
    blocks = Self.letterBlocks.map { Self.units(Self.text($0.tokens)) }
    var (keys, places, scalars): ([UInt32], [UInt16], [UInt32]) = ([], [0], [])
    for token in Self.text(Self.others).split(separator: " ") {
      let sides = token.split(separator: "=")
      keys.append(UInt32(sides[0], radix: 16) ?? 0)
      scalars += sides[1].split(separator: "+").map { UInt32($0, radix: 16) ?? 0 }
      places.append(UInt16(scalars.count))
    }
    (self.keys, self.places, self.scalars) = (keys, places, scalars)
  }

  private static func text(_ literal: StaticString) -> String {
    literal.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
  }

  private static func units(_ tokens: String) -> [UInt32] {
    tokens.split(separator: " ").flatMap { token -> [UInt32] in
      let sides = token.split(separator: "*")
      let unit: UInt32 =
        switch sides[0] {
        case "-": separator
        case ".": nothing
        case "=": itself
        default: sides[0].utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
      return Array(repeating: unit, count: sides.count > 1 ? Int(sides[1]) ?? 1 : 1)
    }
  }

  /// Returns the folded form of a scalar above U+007F; combining marks are `nothing`.
  func folded(_ value: UInt32) -> Folded {
    for (start, block) in zip(starts, blocks) where value >= start && value - start < UInt32(block.count) {
      switch block[Int(value - start)] {
      case Self.separator: return .separator
      case Self.nothing: return .nothing
      case Self.itself: return .unknown
      case let letters: return .letters(letters)
      }
    }
    if Self.isMark(value) { return .nothing }
    // Modifier letters, including apostrophes, end a word.
    if (0x2B0...0x2FF).contains(value) { return .separator }
    // Full-width ASCII becomes ASCII, and Katakana becomes Hiragana.
    if (0xFF01...0xFF5E).contains(value) { return .letters(value - 0xFF01 + 0x21) }
    if (0x30A1...0x30F6).contains(value) { return scalars(of: value - 0x60) ?? .scalars([value - 0x60]) }
    return scalars(of: value) ?? .unknown
  }

  private func scalars(of value: UInt32) -> Folded? {
    let place = keys.indices.partition { keys[$0] >= value }
    guard place < keys.count, keys[place] == value else { return nil }
    return .scalars(scalars[Int(places[place])..<Int(places[place + 1])])
  }

  /// Returns true for accents, points and other ignorable signs. Vowels of Indic and Thai scripts are not ignorable.
  private static func isMark(_ value: UInt32) -> Bool {
    switch value {
    case 0xAD, 0x300...0x36F, 0x591...0x5BD, 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7, 0x610...0x61A, 0x640,
      0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7, 0x6E8, 0x6EA...0x6ED, 0x93C, 0x9BC, 0xA3C, 0xB3C,
      0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200B...0x200F, 0x2060, 0x20D0...0x20FF, 0x3099, 0x309A, 0xFE00...0xFE0F,
      0xFE20...0xFE2F, 0xFF9E, 0xFF9F, 0x1D165...0x1D172:
      true
    default: false
    }
  }

  private static let letterBlocks = [
    FoldedBlock(
      0x00AA,
      """
      a -*7 2 3 - m -*3 1 o - -*3 - a*6 ae c e*4 i*4 d n o*5 - o u*4 y th ss a*6 ae c e*4 i*4 d n o*5 - o u*4 y th y \
      a*6 c*8 d*4 e*10 g*8 h*4 i*10 ij ij j j k*3 l*10 n*9 o*6 oe oe r*6 s*8 t*6 u*12 w w y*3 z*6 s b*6 o c c d*5 \
      e*3 f f g g hv i i k k l l m n n o*3 oi oi p p r s*4 t*4 u*3 v y y z*6 2 s s ts w -*4 dz*3 lj*3 nj*3 a a i i o \
      o u*10 e a*4 ae ae g*4 k k o*4 z z j dz*3 g g hv w n n a a ae ae o o a*4 e*4 i*4 o*4 r*4 u*4 s s t t y y h h n \
      d ou ou z z a a e e o*8 y y l n t j db qp a c c l t s z - - b u v e e j j q q r r y y
      """),
    FoldedBlock(
      0x0370,
      """
      h h ss ss - - w w - - . s*3 - j -*6 a - e i i - o - y o i a v g d e z i th i k l m n x o p r - s t y f ch ps o \
      i y a e i i y a v g d e z i th i k l m n x o p r s s t y f ch ps o i y o y o ke v th y*3 f p ke q q st st w w \
      q q ss ss = = = = = = = = = = = = = = k r s j th e - sh sh s*3 r s*3
      """),
    FoldedBlock(
      0x0400,
      """
      e e dj g ye dz i i j lj nj c k i u dz a b v g d e zh z i i k l m n o p r s t u f h ts ch sh shch . y . e yu ya \
      a b v g d e zh z i i k l m n o p r s t u f h ts ch sh shch . y . e yu ya e e dj g ye dz i i j lj nj c k i u dz \
      o o e e ye ye e e ye ye u u yu yu x x ps ps f f i*4 u u o*4 ot ot k k - .*7 i i . . r r g*6 zh zh z z k*8 n*4 \
      p p o o s s t t u*4 h h ts ts ch*4 h h ch*4 i zh zh k k l l n*4 ch ch m m i a*4 ae ae e e a*4 zh zh z z dz dz \
      i*4 o*6 e e u*6 ch ch g g y y g g h*4 d*4 z*4 l l n n s s t t e e l*4 r r ya ya q q w w k k l l n n p p h h n \
      n dz dz dch dch l l
      """),
    FoldedBlock(
      0x1E00,
      """
      a a b*6 c c d*10 e*10 f f g g h*10 i*4 k*6 l*8 m*6 n*8 o*8 p*4 r*8 s*10 t*8 u*10 v*4 w*10 x*4 y y z*6 h t w y \
      a s*3 ss d a*24 e*16 i*4 o*24 u*14 y*8 ll ll v v y y
      """),
    FoldedBlock(
      0x1F00,
      """
      a*16 e*6 - - e*6 - - i*32 o*6 - - o*6 - - y*8 - y - y - y - y o*16 a a e e i*4 o o y y o o - - a*16 i*16 o*16 \
      a*5 - a*7 - i -*3 i*3 - i i e e i*3 -*3 i*4 - - i*6 -*4 y*4 r r y*6 r -*5 o*3 - o*7 -*3
      """),
    FoldedBlock(
      0xFB00,
      """
      ff fi fl ffi ffl st st
      """),
  ]

  /// Further letters and signs, equal by canonical equivalence or by habit, as hexadecimal numbers.
  private static let others: StaticString = """
    253=62 254=6F 256=64 257=64 259=65 25B=65 260=67 263=67 268=69 269=69 26F=6D 272=6E 275=6F 280=72 283=73 288=74 \
    289=75 28A=75 28B=76 28C=76 292=7A 622=627 623=627 624=648 625=627 626=64A 629=647 649=64A 671=627 6A9=643 \
    6BE=647 6C0=647 6C1=647 6C2=647 6CC=64A 6D3=6D2 6D5=647 929=928 931=930 934=933 958=915 959=916 95A=917 95B=91C \
    95C=921 95D=922 95E=92B 95F=92F 9CB=9C7+9BE 9CC=9C7+9D7 9DC=9A1 9DD=9A2 9DF=9AF A33=A32 A36=A38 A59=A16 A5A=A17 \
    A5B=A1C A5E=A2B B48=B47+B56 B4B=B47+B3E B4C=B47+B57 B5C=B21 B5D=B22 B94=B92+BD7 BCA=BC6+BBE BCB=BC7+BBE \
    BCC=BC6+BD7 C48=C46+C56 CC0=CBF+CD5 CC7=CC6+CD5 CC8=CC6+CD6 CCA=CC6+CC2 CCB=CC6+CC2+CD5 D4A=D46+D3E D4B=D47+D3E \
    D4C=D46+D57 DDA=DD9+DCA DDC=DD9+DCF DDD=DD9+DCF+DCA DDE=DD9+DDF F43=F42+FB7 F4D=F4C+FB7 F52=F51+FB7 F57=F56+FB7 \
    F5C=F5B+FB7 F69=F40+FB5 F73=F71+F72 F75=F71+F74 F76=FB2+F80 F78=FB3+F80 F81=F71+F80 F93=F92+FB7 F9D=F9C+FB7 \
    FA2=FA1+FB7 FA7=FA6+FB7 FAC=FAB+FB7 FB9=F90+FB5 1026=1025+102E 1B06=1B05+1B35 1B08=1B07+1B35 1B0A=1B09+1B35 \
    1B0C=1B0B+1B35 1B0E=1B0D+1B35 1B12=1B11+1B35 1B3B=1B3A+1B35 1B3D=1B3C+1B35 1B40=1B3E+1B35 1B41=1B3F+1B35 \
    1B43=1B42+1B35 2126=6F 212A=6B 212B=61 2C65=61 2C66=74 304C=304B 304E=304D 3050=304F 3052=3051 3054=3053 \
    3056=3055 3058=3057 305A=3059 305C=305B 305E=305D 3060=305F 3062=3061 3065=3064 3067=3066 3069=3068 3070=306F \
    3071=306F 3073=3072 3074=3072 3076=3075 3077=3075 3079=3078 307A=3078 307C=307B 307D=307B 3094=3046 309E=309D \
    30F7=308F 30F8=3090 30F9=3091 30FA=3092 30FE=30FD FB1D=5D9 FB1F=5F2 FB2A=5E9 FB2B=5E9 FB2C=5E9 FB2D=5E9 FB2E=5D0 \
    FB2F=5D0 FB30=5D0 FB31=5D1 FB32=5D2 FB33=5D3 FB34=5D4 FB35=5D5 FB36=5D6 FB38=5D8 FB39=5D9 FB3A=5DA FB3B=5DB \
    FB3C=5DC FB3E=5DE FB40=5E0 FB41=5E1 FB43=5E3 FB44=5E4 FB46=5E6 FB47=5E7 FB48=5E8 FB49=5E9 FB4A=5EA FB4B=5D5 \
    FB4C=5D1 FB4D=5DB FB4E=5E4 FF66=3092 FF67=3041 FF68=3043 FF69=3045 FF6A=3047 FF6B=3049 FF6C=3083 FF6D=3085 \
    FF6E=3087 FF6F=3063 FF70=30FC FF71=3042 FF72=3044 FF73=3046 FF74=3048 FF75=304A FF76=304B FF77=304D FF78=304F \
    FF79=3051 FF7A=3053 FF7B=3055 FF7C=3057 FF7D=3059 FF7E=305B FF7F=305D FF80=305F FF81=3061 FF82=3064 FF83=3066 \
    FF84=3068 FF85=306A FF86=306B FF87=306C FF88=306D FF89=306E FF8A=306F FF8B=3072 FF8C=3075 FF8D=3078 FF8E=307B \
    FF8F=307E FF90=307F FF91=3080 FF92=3081 FF93=3082 FF94=3084 FF95=3086 FF96=3088 FF97=3089 FF98=308A FF99=308B \
    FF9A=308C FF9B=308D FF9C=308F FF9D=3093 1109A=11099+110BA 1109C=1109B+110BA 110AB=110A5+110BA 1112E=11131+11127 \
    1112F=11132+11127 1134B=11347+1133E 1134C=11347+11357 114BB=114B9+114BA 114BC=114B9+114B0 114BE=114B9+114BD \
    115BA=115B8+115AF 115BB=115B9+115AF 11938=11935+11930
    """
}
