/// The encryption of segments (EXT-X-KEY; RFC 8216, 4.3.2.4).
public struct SegmentKey: Hashable, Sendable {
  /// The encrypted part and the cipher.
  public enum Method: String, Sendable {
    /// Whole segments, AES-128 in CBC mode with PKCS7 padding.
    case aes128 = "AES-128"
    /// Samples only, AES-128 in CBC mode.
    case sampleAes = "SAMPLE-AES"
    /// Samples only, AES-128 in counter mode (Common Encryption).
    case sampleAesCtr = "SAMPLE-AES-CTR"
    /// Another method, or an unreadable one.
    case other
  }

  /// The encryption method.
  public let method: Method
  /// The key's URL, relative or absolute like `MediaSegment.address`; nil if absent or unusable.
  public internal(set) var address: String?
  /// The 16 bytes of the initialization vector; nil to use the segment's sequence number.
  public let vector: [UInt8]?
  /// True for a rights system's key (KEYFORMAT is not "identity").
  let isDrm: Bool

  /// True if the key can be fetched and used: AES-128 with an address and without a rights system.
  public var isOpen: Bool { method == .aes128 && address != nil && !isDrm }

  /// Returns `vector`; without it, the initialization vector made from a sequence number (RFC 8216, 5.2).
  public func vector(of sequence: UInt64) -> [UInt8] {
    vector ?? (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: sequence >> UInt64(8 * (15 - $0))) }
  }

  static let unreadable = SegmentKey(method: .other, address: nil, vector: nil, isDrm: false)
}

extension SegmentKey {
  /// Returns nil for the method NONE: segments are not encrypted from here on.
  init?(_ attributes: AttributeList) {
    let method = attributes["METHOD"].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    guard method != "NONE" else { return nil }
    self.method = Method(rawValue: method) ?? .other
    address = attributes["URI"]?.text
    vector = attributes["IV"].flatMap { Self.vector($0.bytes) }
    isDrm = attributes["KEYFORMAT"]?.text.map { $0[...].asciiLowercased != "identity" } ?? false
  }

  /// Parses "0x…", at most 128 bits; nil if invalid.
  private static func vector(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.begins(anyCase: "0x") else { return nil }
    let digits = text.dropFirst(2)
    guard (1...32).contains(digits.count) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    for (place, digit) in digits.reversed().enumerated() {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue, digit < 0x80 else { return nil }
      bytes[15 - place / 2] |= UInt8(value) << (place.isMultiple(of: 2) ? 0 : 4)
    }
    return bytes
  }
}
