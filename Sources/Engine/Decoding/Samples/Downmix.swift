/// Mixes channels to left and right. Mono goes to both sides unchanged.
/// With more than two channels, front left and front right are full, and the others at -3 dB. Bass and unknown
/// positions are omitted. The sum is scaled so that it cannot clip.
struct Downmix {
  /// Further channels are ignored.
  static let maxChannels = 8

  private var left = InlineArray<8, Int64>(repeating: 0)
  private var right = InlineArray<8, Int64>(repeating: 0)
  private var whole: Int64 = 1
  let channels: Int

  init(_ channels: Int = 2) { self.channels = max(1, min(2, channels)) }

  /// The order is irrelevant for one or two channels.
  init(_ channels: Int, _ order: ChannelPosition.Order) {
    self.channels = max(1, min(channels, Self.maxChannels))
    for channel in 0..<self.channels {
      let gains = Self.gains(at: order[channel])
      (left[channel], right[channel]) = (gains.left, gains.right)
    }
    whole = max(1, sum(left), sum(right))
  }

  private func sum(_ gains: InlineArray<8, Int64>) -> Int64 {
    gains.indices.reduce(0) { $0 + gains[$1] }
  }

  /// Returns the gains of a position in steps of 1/1024.
  private static func gains(at position: ChannelPosition) -> (left: Int64, right: Int64) {
    switch position {
    case .frontLeft: (1024, 0)
    case .frontRight: (0, 1024)
    case .sideLeft, .backLeft, .frontLeftOfCenter: (724, 0)
    case .sideRight, .backRight, .frontRightOfCenter: (0, 724)
    case .frontCenter, .backCenter: (724, 724)
    case .bass, .unknown: (0, 0)
    }
  }

  /// True if the result may have more significant bits than the input.
  var isMixing: Bool { channels > 2 }

  /// Writes `count` frames of two samples; `sample` returns an input sample.
  @inline(__always)
  func write(_ count: Int, to out: UnsafeMutablePointer<Int32>, _ sample: (_ frame: Int, _ channel: Int) -> Int32) {
    switch channels {
    case 1:
      for frame in 0..<count {
        let both = sample(frame, 0)
        out[2 &* frame] = both
        out[2 &* frame &+ 1] = both
      }
    case 2:
      for frame in 0..<count {
        out[2 &* frame] = sample(frame, 0)
        out[2 &* frame &+ 1] = sample(frame, 1)
      }
    default:
      for frame in 0..<count {
        let mixed = mix { sample(frame, $0) }
        out[2 &* frame] = mixed.left
        out[2 &* frame &+ 1] = mixed.right
      }
    }
  }

  @inline(__always)
  private func mix(_ sample: (Int) -> Int32) -> (left: Int32, right: Int32) {
    var sums: (left: Int64, right: Int64) = (0, 0)
    for channel in 0..<channels {
      let value = Int64(sample(channel))
      sums.left &+= value &* left[channel]
      sums.right &+= value &* right[channel]
    }
    return (Int32(truncatingIfNeeded: sums.left / whole), Int32(truncatingIfNeeded: sums.right / whole))
  }
}
