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

  private static let pictureNames: Set = ["RESOLUTION", "FRAME-RATE", "VIDEO-RANGE", "VIDEO"]

  init(_ attributes: AttributeList, at address: String) {
    self.address = address
    peakBitRate = attributes["BANDWIDTH"]?.bitRate ?? 0
    averageBitRate = attributes["AVERAGE-BANDWIDTH"]?.bitRate.flatMap { $0 > 0 ? $0 : nil }
    codecs = attributes["CODECS"]?.codecs ?? []
    hasPicture = attributes.contains { Self.pictureNames.contains($0.name) }
    audioGroup = attributes["AUDIO"]?.text
    name = attributes["NAME"]?.text.flatMap { ListEntry.title($0[...]) }
  }

  var bitRate: Int { averageBitRate ?? peakBitRate }
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
