/// How segments are encrypted (EXT-X-KEY; RFC 8216, 4.3.2.4).
public struct SegmentKey: Hashable, Sendable {
  /// What is encrypted, and by which cipher.
  public enum Method: Hashable, Sendable {
    /// Whole segments, by AES with 128 bits, CBC and PKCS7 padding.
    case aes128
    /// The samples alone, by AES with 128 bits in CBC.
    case sampleAes
    /// The samples alone, by AES with 128 bits in counter mode (Common Encryption).
    case sampleAesCtr
    /// Another one, or one that could not be read.
    case other
  }

  /// How.
  public let method: Method
  /// Where the key is: a relative or absolute URL as `MediaSegment.address` is; nil where the list tells none that
  /// could be fetched.
  public internal(set) var address: String?
  /// The initialization vector's 16 bytes; nil where the segment's sequence number stands for it.
  public let vector: [UInt8]?
  /// Whether the key is one of a system of rights (KEYFORMAT is not "identity"), and not simply 16 bytes.
  let isDrm: Bool

  /// Whether anybody can fetch the key and decrypt with it: AES-128 with an address and no rights.
  public var isOpen: Bool { method == .aes128 && address != nil && !isDrm }

  /// The vector of the segment of a sequence number, where the key has none of its own (RFC 8216, 5.2).
  public func vector(of sequence: UInt64) -> [UInt8] {
    vector ?? (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: sequence >> UInt64(8 * (15 - $0))) }
  }

  /// A key that could not be read.
  static let unreadable = SegmentKey(method: .other, address: nil, vector: nil, isDrm: false)
}

extension SegmentKey {
  /// What a tag says.
  enum Written {
    /// Nothing is encrypted from here on.
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

  /// The bytes of "0x…", a number of 128 bits at most; nil where it is none.
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
