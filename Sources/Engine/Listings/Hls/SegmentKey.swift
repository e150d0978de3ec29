/// The encryption of segments (EXT-X-KEY; RFC 8216, 4.3.2.4).
public struct SegmentKey: Hashable, Sendable {
  /// The encrypted part and the cipher.
  public enum Method: Hashable, Sendable {
    /// Whole segments, AES-128 in CBC mode with PKCS7 padding.
    case aes128
    /// Samples only, AES-128 in CBC mode.
    case sampleAes
    /// Samples only, AES-128 in counter mode (Common Encryption).
    case sampleAesCtr
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
  enum Written {
    /// Segments are not encrypted from here on.
    case none
    case key(SegmentKey)

    init(_ attributes: AttributeList) {
      var (method, address, vector): (Method?, String?, [UInt8]?)
      var isDrm = false
      for attribute in attributes {
        switch attribute.name {
        case "METHOD":
          switch String(decoding: attribute.bytes, as: UTF8.self) {
          case "NONE":
            self = .none
            return
          case "AES-128": method = .aes128
          case "SAMPLE-AES": method = .sampleAes
          case "SAMPLE-AES-CTR": method = .sampleAesCtr
          default: method = .other
          }
        case "URI": address = attribute.text
        case "IV": vector = SegmentKey.vector(attribute.bytes)
        case "KEYFORMAT": isDrm = !attribute.bytes.isEmpty && attribute.text?[...].asciiLowercased != "identity"
        default: break
        }
      }
      self = .key(SegmentKey(method: method ?? .other, address: address, vector: vector, isDrm: isDrm))
    }
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
