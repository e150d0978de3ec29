/// How a station encrypts its segments by AES-128: which key each has, and where that is told to be.
public struct SegmentCipher: Sendable {
  /// How many segments in a row have one key.
  public var run = 1_000
  /// The initialization vector of all; nil where the sequence number stands for it.
  public var vector: [UInt8]?
  /// What stands before the name of a key in its address.
  public var base = ""

  /// One key for all segments, their numbers for their vectors.
  public init() {}

  /// The key of a segment.
  public func key(of number: Int) -> [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: (number / run + 3) &* (29 + 4 * $0)) }
  }

  /// The name of its file.
  public func name(of number: Int) -> String { "k\(number / run).key" }

  /// What the list says before a segment.
  public func tag(_ number: Int) -> String {
    let digits = vector.map { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    return "#EXT-X-KEY:METHOD=AES-128,URI=\"\(base)\(name(of: number))\"\(digits.map { ",IV=0x" + $0 } ?? "")\n"
  }

  /// A segment's file of its bytes.
  public func encrypt(_ bytes: [UInt8], _ number: Int) -> [UInt8] {
    Aes.encrypt(bytes, key: key(of: number), vector: vector ?? Aes.vector(of: number))
  }

  /// The key that is asked for; nil where it is something else.
  public func answer(_ visit: ScriptedStation.Visit) -> [Act]? {
    let name = visit.path.split(separator: "/").last.map { String($0) } ?? ""
    guard name.hasPrefix("k"), name.hasSuffix(".key"), let index = Int(name.dropFirst().dropLast(4)) else { return nil }
    return Act.file(key(of: index * run))
  }
}
