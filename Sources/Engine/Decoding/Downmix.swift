/// How much of each channel goes to the left and to the right.
///
/// Mono goes to both as it is. Of more than two channels the front stays as it is, the rest comes at -3 dB, and the
/// bass channel not at all; all of it is lowered so far that nothing can clip.
struct Downmix {
  /// More channels than these are not heard.
  static let most = 8

  private var left = InlineArray<8, Int64>(repeating: 0)
  private var right = InlineArray<8, Int64>(repeating: 0)
  private var whole: Int64 = 1
  /// Channels that are mixed.
  let channels: Int

  /// One channel or two, which need no positions.
  init(_ channels: Int = 2) { self.channels = max(1, min(2, channels)) }

  /// A mix of channels in this order; the order of two or fewer does not matter.
  init(_ channels: Int, _ order: ChannelPosition.Order) {
    self.channels = max(1, min(channels, Self.most))
    for channel in 0..<self.channels {
      let gains = Self.gains(at: order[channel])
      (left[channel], right[channel]) = (gains.left, gains.right)
    }
    whole = max(1, sum(left), sum(right))
  }

  private func sum(_ gains: InlineArray<8, Int64>) -> Int64 {
    gains.indices.reduce(0) { $0 + gains[$1] }
  }

  /// In steps of 1/1024.
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

  /// Whether what comes out may have more bits than what goes in.
  var isMixing: Bool { channels > 2 }

  /// Writes `count` frames, two interleaved samples each; `sample` gives one of a frame and a channel.
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

  /// One frame's left and right; `sample` gives a channel of it.
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
