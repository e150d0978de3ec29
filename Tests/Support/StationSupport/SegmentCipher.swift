import MediaSupport
import TestSupport

/// AES-128 encryption of a station's segments, with the keys and their addresses.
public struct SegmentCipher: Sendable {
  /// Number of consecutive segments with the same key.
  public var run = 1_000
  /// The initialization vector for all segments; nil for the sequence number.
  public var vector: [UInt8]?
  /// The part of a key's address before its name.
  public var base = ""

  /// Creates a cipher with one key and sequence numbers as initialization vectors.
  public init() {}

  /// Returns the key of a segment.
  public func key(of number: Int) -> [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: (number / run + 3) &* (29 + 4 * $0)) }
  }

  /// Returns the file name of a segment's key.
  public func name(of number: Int) -> String { "k\(number / run).key" }

  /// Returns the playlist line before a segment.
  public func tag(_ number: Int) -> String {
    let digits = vector.map { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    return "#EXT-X-KEY:METHOD=AES-128,URI=\"\(base)\(name(of: number))\"\(digits.map { ",IV=0x" + $0 } ?? "")\n"
  }

  /// Encrypts a segment.
  public func encrypt(_ bytes: [UInt8], _ number: Int) -> [UInt8] {
    Aes.encrypt(bytes, key: key(of: number), vector: vector ?? Aes.vector(of: number))
  }

  /// Returns the response to a request for a key; nil for another request.
  public func answer(_ visit: ScriptedStation.Request) -> [StationAction]? {
    let name = visit.path.split(separator: "/").last.map { String($0) } ?? ""
    guard name.hasPrefix("k"), name.hasSuffix(".key"), let index = Int(name.dropFirst().dropLast(4)) else { return nil }
    return StationAction.file(key(of: index * run))
  }
}
