/// A variant of the programme in a master playlist (EXT-X-STREAM-INF; RFC 8216, 4.3.4.2).
struct Variant: Hashable, Sendable {
  /// The playlist's URL, relative or absolute, cleaned like a `ListEntry.reference`; not resolved.
  let address: String
  /// Maximum bit rate in bits per second, 0 … 2³¹ − 1; 0 if unknown.
  let peakBitRate: Int
  /// Average bit rate in bits per second, 1 … 2³¹ − 1; nil if unknown.
  let averageBitRate: Int?
  /// The codecs in the form of RFC 6381, at most 16; empty if unknown.
  let codecs: [String]
  /// True if the tag has a video attribute: RESOLUTION, FRAME-RATE, VIDEO-RANGE or VIDEO.
  let hasPicture: Bool
  /// The group of audio renditions for the variant; nil if absent.
  let audioGroup: String?
  /// The name as written, not cleaned for display.
  let name: String?

  var bitRate: Int { averageBitRate ?? peakBitRate }
}

extension Variant {
  struct Description {
    private var peakBitRate = 0
    private var averageBitRate: Int?
    private var codecs: [String] = []
    private var hasPicture = false
    private var audioGroup: String?
    private var name: String?

    init(_ attributes: AttributeList) {
      for attribute in attributes {
        switch attribute.name {
        case "BANDWIDTH": peakBitRate = attribute.bitRate ?? 0
        case "AVERAGE-BANDWIDTH": averageBitRate = attribute.bitRate.flatMap { $0 > 0 ? $0 : nil }
        case "CODECS": codecs = attribute.codecs
        case "RESOLUTION", "FRAME-RATE", "VIDEO-RANGE", "VIDEO": hasPicture = true
        case "AUDIO": audioGroup = attribute.text
        case "NAME": name = attribute.text.flatMap { ListEntry.title($0[...]) }
        default: break
        }
      }
    }

    func variant(at address: String) -> Variant {
      Variant(
        address: address, peakBitRate: peakBitRate, averageBitRate: averageBitRate, codecs: codecs,
        hasPicture: hasPicture, audioGroup: audioGroup, name: name)
    }
  }
}

extension AttributeList.Attribute {
  fileprivate var bitRate: Int? { bytes.wholeNumber.map { Int(Int32(clamping: $0)) } }

  fileprivate var codecs: [String] {
    let most = 16
    return bytes.split(separator: UInt8(ascii: ","), maxSplits: most).prefix(most).compactMap { codec in
      codec.trimmed.isEmpty ? nil : codec.trimmed.decoded
    }
  }
}
