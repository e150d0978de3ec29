import Framing

/// A codec named in CODECS (RFC 6381; ISO 14496-14 and the registry of MP4RA).
enum SoundCodec {
  case played
  case refused(RefusedCodec)
  case picture
  case text
  case unknown

  init(_ name: String) {
    let parts = name[...].asciiLowercased.split(separator: ".", omittingEmptySubsequences: false)
    let first = parts.first ?? ""
    if first == "mp4a" {
      self = Self.mp4a(parts.dropFirst())
    } else if let codec = Self.others[String(first)] {
      self = codec
    } else if Self.pictures.contains(String(first.prefix(3))) {
      self = .picture
    } else {
      self = .unknown
    }
  }

  /// Returns the codec for a hexadecimal object type. After type 40, an audio object type of ISO 14496-3 follows and
  /// decides.
  private static func mp4a(_ parts: ArraySlice<Substring>) -> SoundCodec {
    switch parts.first {
    case "40": parts.dropFirst().first.map { aac(Int($0)) } ?? .unknown
    // MPEG-2 and MPEG-1 Layer III; both names are in use.
    case "69", "6b": .played
    case "a5": .refused(.ac3)
    case "a6": .refused(.eac3)
    case "ad": .refused(.opus)
    case "a9", "dd": .refused(.other)
    default: .unknown
    }
  }

  private static func aac(_ type: Int?) -> SoundCodec {
    switch type {
    case 2, 5, 29, 34: .played
    case 42: .refused(.xheAac)
    // Main, SSR, LTP, and Layers I and II: the stream itself decides.
    case nil, 1, 3, 4, 32, 33: .unknown
    default: .refused(.unknownAac)
    }
  }

  private static let others: [String: SoundCodec] = [
    "mp3": .played,
    "ac-3": .refused(.ac3), "ec-3": .refused(.eac3), "ec+3": .refused(.eac3), "ac-4": .refused(.other),
    "opus": .refused(.opus), "flac": .refused(.flac), "alac": .refused(.alac), "vorbis": .refused(.other),
    "dtsc": .refused(.other), "dtse": .refused(.other), "dtsh": .refused(.other), "dtsl": .refused(.other),
    "dtsx": .refused(.other), "mha1": .refused(.other), "mhm1": .refused(.other), "mhm2": .refused(.other),
    "iamf": .refused(.other),
    "stpp": .text, "wvtt": .text, "tx3g": .text, "c608": .text, "c708": .text,
  ]

  /// The first three letters of video codecs: AVC, HEVC, Dolby Vision, VVC, VP8 and VP9, AV1, MPEG-4, JPEG, H.263,
  /// Theora.
  private static let pictures: Set = [
    "avc", "svc", "mvc", "hvc", "hev", "dvh", "dva", "dav", "vvc", "vvi", "lhv", "vp8", "vp9", "vp0", "av0", "mp4",
    "mjp", "jpe", "s26", "h26", "the",
  ]
}
