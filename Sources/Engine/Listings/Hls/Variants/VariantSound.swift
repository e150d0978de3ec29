import Framing

enum VariantSound: Equatable {
  /// Supported audio only.
  case alone
  /// Supported audio with video, or with another codec.
  case besidePicture
  case unknown
  case refused(RefusedCodec)
  /// Video or subtitles only.
  case none

  /// Bits per second. Without codecs, a higher rate means video, because no supported audio codec needs that rate.
  private static let maxAudioBitRate = 800_000

  init(_ variant: Variant) {
    var (playedCount, unknownCount, otherCount) = (0, 0, 0)
    var refusal: RefusedCodec?
    for name in variant.codecs {
      switch SoundCodec(name) {
      case .played: playedCount += 1
      case .unknown: unknownCount += 1
      case .text: break
      case .picture: otherCount += 1
      case .refused(let codec):
        otherCount += 1
        refusal = refusal ?? codec
      }
    }
    if variant.codecs.isEmpty {
      self = variant.hasPicture || variant.bitRate > Self.maxAudioBitRate ? .besidePicture : .alone
    } else if playedCount > 0 {
      self = otherCount + unknownCount > 0 ? .besidePicture : .alone
    } else if unknownCount > 0 {
      self = .unknown
    } else if let refusal {
      self = .refused(refusal)
    } else {
      self = .none
    }
  }

  var refusal: RefusedCodec? {
    if case .refused(let codec) = self { codec } else { nil }
  }
}
