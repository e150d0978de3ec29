/// A form of the programme in a master playlist (EXT-X-STREAM-INF; RFC 8216, 4.3.4.2).
struct Variant: Hashable, Sendable {
  /// Where its playlist is: a relative or absolute URL, cleaned as a `ListEntry.reference` is and not resolved.
  let address: String
  /// The most bits a second, 0 … 2³¹ − 1; 0 where untold.
  let peakBitRate: Int
  /// The bits a second on average, 1 … 2³¹ − 1; nil where untold.
  let averageBitRate: Int?
  /// Its codecs in the form of RFC 6381, at most 16; none where untold.
  let codecs: [String]
  /// Whether something is said that only a picture has: RESOLUTION, FRAME-RATE, VIDEO-RANGE or VIDEO.
  let hasPicture: Bool
  /// The group of the renditions that its sound can be taken from; nil where it has none.
  let audioGroup: String?
  /// What it is called; nil where it has no name. Not yet fit for a display.
  let name: String?

  /// Its bits a second on average, else the most; 0 where neither is told.
  var bitRate: Int { averageBitRate ?? peakBitRate }
}

extension Variant {
  /// What a tag says of the variant whose address follows.
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

    /// The variant at an address.
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
