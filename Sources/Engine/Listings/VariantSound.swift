import Framing

/// What the codecs of a variant say about its sound.
enum VariantSound: Equatable {
  /// Played, and nothing else is there.
  case alone
  /// Played, beside a picture or other sound.
  case besidePicture
  /// Perhaps played.
  case unknown
  /// Not played.
  case refused(RefusedCodec)
  /// A picture alone.
  case none

  /// More bits a second are a picture's where no codec is told: no codec that is played needs so many.
  private static let mostSound = 800_000

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
      self = variant.hasPicture || variant.bitRate > Self.mostSound ? .besidePicture : .alone
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
