/// The Huffman codes of Layer III (ISO 11172-3 table B.7), read bit by bit.
struct HuffmanCodes: ~Copyable {
  /// Two children per fork; the highest bit marks a leaf. `var`, because with a `let` of this type, an initializer
  /// cannot call mutating methods (Swift 6.2.3).
  private var nodes: UnsafeMutablePointer<UInt16>
  private var count = 0
  private var roots = InlineArray<17, UInt16>(repeating: 0)

  private static let leaf: UInt16 = 0x8000
  /// The number of dots in all trees.
  private static let forkCount = 1_393

  init() {
    nodes = .allocate(capacity: 2 * Self.forkCount)
    nodes.initialize(repeating: Self.leaf, count: 2 * Self.forkCount)
    for (index, tree) in Self.trees.enumerated() {
      var text = tree.utf8Start
      roots[index] = grow(&text, digits: index < Self.pairTrees ? 2 : 1)
    }
  }

  deinit { nodes.deallocate() }

  /// The tree of each table of big values; tables from 16 and from 24 on differ only in `furtherBits`.
  static let treeOfTable: InlineArray<32, Int> = [
    -1, 0, 1, 2, -1, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1, 12, 13, 13, 13, 13, 13, 13, 13, 13, 14, 14, 14, 14, 14, 14, 14,
    14,
  ]
  /// The number of bits after the value 15 (linbits).
  static let furtherBits: InlineArray<32, Int> = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 6, 8, 10, 13, 4, 5, 6, 7, 8, 9, 11, 13,
  ]
  /// The number of trees for big values; two for small values follow.
  static let pairTrees = 15

  /// Reads one code: two values of four bits, or four of one bit.
  func read(_ tree: Int, _ bits: inout BitReader) -> Int {
    var node = roots[tree]
    while node & Self.leaf == 0 { node = nodes[2 * Int(node) + bits.read(1)] }
    return Int(node & ~Self.leaf)
  }

  private mutating func grow(_ text: inout UnsafePointer<UInt8>, digits: Int) -> UInt16 {
    guard text[0] == UInt8(ascii: ".") else {
      var value: UInt16 = 0
      for _ in 0..<digits {
        value = value << 4 | UInt16(text[0] < 0x3A ? text[0] - 0x30 : text[0] - 0x57)
        text += 1
      }
      return value | Self.leaf
    }
    text += 1
    let fork = count
    count += 1
    nodes[2 * fork] = grow(&text, digits: digits)
    nodes[2 * fork + 1] = grow(&text, digits: digits)
    return UInt16(fork)
  }

  /// The trees in table order: a dot is a fork, with the branch for 0 first; digits are a code's values.
  private static let trees: [StaticString] = [
    """
    ...11011000
    """,
    """
    ......220212.212011.011000
    """,
    """
    ......220212.21201011.0100
    """,
    """
    ........33233231..1303.3022..1221.022011.011000
    """,
    """
    .......330323.3230.1331..220212..212001.11.1000
    """,
    """
    ..........5545.5453.3544..255215..51.0534.50.4333...244214.4140....0423.3203.1331..302212..21.022011.011000
    """,
    """
    ...........55544553..354425..520515..51.3443..503324...421441..0440.2332....1331.033022.0220.122111..011000
    """,
    """
    .........554535.53.5405..4425.5215..5134.43.5004...2442.3340.1441...233213.31.0330...220212.2120..1101.1000
    """,
    """
    ...........7767.7657..756647..7456.6537...7346..555463.2772....640770.62.4535..06.534417...71.3626...255215.51\
    .3443..1661.60.0550.....2442.3304.1441..4023.3203..1331.3022...1221.022011.011000
    """,
    """
    ..........7767.7675..6647.74.5755...566537.7346....4554.355327.72.6407..71.1770..3663.60.4425.....52051562..26\
    0616..61.5134..50.4333.2442.....1441.0440.2332.1331...03302221..12.022011..011000
    """,
    """
    ..........776776.5775..6647.7465..5637..735527...7246.6417..71.0770.3663....4554.44.0605.2662..61.1660..3553.2\
    552....1551.3443...500424.4214..3341.2332.....40033013.3122.1221....02200011.0110
    """,
    """
    ...................fefcfdedff.efdf..eecf.debf...fbce.dc.afe9.ecdd....facdbe.eb9f..f9ea.bddb....8ff8.cc.ae9e..8\
    e.7f7ef7..da.adbc..cbf66f....e85f.9dd9..f5e7.acbb...4ff4..cae6f3.3f.8dd8....2ff2..6e9c0f...c95eab..7dd74e....c\
    8d63e.b9.9baa.1ff1....f0.bae5..e48c.6de3..e2.2e0e.1ee1....e05d.d57c..c74d.8bb8...d49a.a96c.c63d......d37b2d.d2\
    1d..b7.5cc5..997ac3....a7974bd1..0dd0.8aa8....4cc4.6bb6.3c2c..c25b..b5891c.....c1.980c.c0.b46a...a6793b.b3.885\
    a...2b.a569.a4.7887..94.7776b2...1bb1..0bb0.964a...3aa3.5995.2aa2.....1aa1..0a68a0...864993..3958.8567...2992.\
    .577538..83.6647..7456.6573...1991..0990.4884...72.466428.8218......372717.71.5507...7036.6345..5426.6235..81.\
    0880..1661.0660.....534425.5205.1551...3443.5024..423314....41.0440..233213..3103.3022..1221.0220..11011000
    """,
    """
    .............ffef.fedf.ee.fdcf...fcde.edbf.fb.ceec...ddaf.fabe..ebcd.dc9f....f9ea.bddb..8ff8.cc9e...e97f.f7ad.\
    .dabc.6f.ae0f....cbf6..8ee8.5f9d..f57e.e7ac...cabb..d98d4f..f43f.f3d8.....e62f.f2.6ef0..1ff1.9cc9...5eab.bae5.\
    .7dd7.4ee4....8cc8.3e6d..d6e3.9bb9...2eaa.e21e..e1.0ee0.5dd5......7cc7.4d8b.d4.b89a...a96c.c63d.d3d2....2d0d1d\
    .7bb7..d1.5cd0.c58a....a84c.c46b..b6.990c.3cc3...7aa7.a6.c00b.c2.2c5b......b51c.8998..c14b.b46a...3b79b3..9788\
    .2b5a...b2.a51b.b1.b069...964a.a478..873aa3....5995.2aa2..1aa1..0aa068...8649.9439..93.7709.5885......2967.769\
    2.91.1990...4884.5775..3883.6647...2882.1881...7408.8056..6537.7346....2772.6417..5571..077036...6345.5426..62\
    16..066035.....61.5344.2552..1551..055034...4324.4233.41.1404...2332..400313..313022....1221.022011..011000
    """,
    """
    ...........effe.dffd..cffc.bffb..af.fa9f..f9f88f...7ff7.6ff6ff....5ff54f.f4f3..f0.3f......ce.ecddde.e9.ead9.ee\
    .edeb..becd..dcdbae...cc.adda..7eacca...c97d5ebdf2....2f0f1f.f1.....9e.bccb..8ee8.9de7...bb8d.d86e.e69c....abb\
    a.e5d7.4e.e48c..c83e.6d.d69b.....b9aae1.d4.b8a9..7b.b7d0e3...0ee0.5dd5..7cc7.4d8b.......9a6c.c63d..5cc50d...8a\
    a8.994c..b67a3c....5b891c.c0.9879.e2.2e1e....d32d.d2d1..3b.97881d...c46b.c3a7.2c.c2b5.....c10c.4bb4..6aa6b3...\
    5aa52b.b21b...b1.0bb0..6996.4aa4...7887a3..3a592a........9568a1..867794...495767a2..1a.0aa0..3993.5885...2992.\
    .760919..91.9048..8475.3883.....662882..477418..8180..085637...73.6546.2772...64550717....71.7036..6345.5426..\
    6216.61.0660...53.3544.2552.51.1505......3443.5024..423314..41.0440.2332..1331..033022..1221.0220..11011000
    """,
    """
    ........effe.dffd..cffc.bffb..fa.af9f.f9f8....8f7ff7.6ff6..5ff5.4ff4....3ff3.2ff2..f1.1ff0...0f..eede.edce...e\
    cdd.beeb..cddc.aeea....bddb.cc9e..e9ad.dabc...cb8e.e89d..d97e.e7acff.........cabb.8dd8...0ee00de6...6e9cc9.5eb\
    a...e5.ab7d.d7e4..8cc8..4e2e3e....6dd6.e39b..b9aa.e21e...e15d.d57c..c74d.8bb8.....d49a.a96c..c63d.d32d...d21d.\
    7bb7..d15c.c58a....a899.4cc4..6bb6..d00c3c...c37a.a72c..c25b.b51c......8998.c14b...c00b3b..b00a1a..b4.6aa6..79\
    97..a00990...b388..2b5ab2...a51b.b169.96a4.....4a7887.3aa3..5995.2aa2...a168.8677..4994.3993......5885.2967..7\
    692.1991...4884.5775..3883.6628....8218.4774..81.0880.5665...17.077073..372772....4664.5571..3663.4554...2662.\
    1661...066035.5344.......2552.15.0550.51.3443..2442.3314...41.0440.2332.1331....03302212.21.0220..1101.1000
    """,
    """
    ......bf.de..759..63.ac..21.480
    """,
    """
    ....fe.dc..ba.98...76.54..32.10
    """,
  ]
}
