import CFaad

/// How much of each channel goes to the left and to the right where libfaad does not mix by itself: 3.0, 4.0, 7.1.
///
/// The front as it is, the rest at -3 dB, no bass channel; all of it lowered so far that nothing can clip.
struct Downmix {
  /// More channels than these are not heard.
  private static let most = 8

  private var left = InlineArray<8, Int64>(repeating: 0)
  private var right = InlineArray<8, Int64>(repeating: 0)
  private var count = 0
  private var whole: Int64 = 1

  /// Silence.
  init() {}

  /// A mix by the positions that libfaad tells; of configuration 7 it tells only two, so there they go by their order
  /// (ISO 14496-3 table 1.19).
  init(_ frame: borrowing NeAACDecFrameInfo) {
    count = min(Int(frame.channels), Self.most)
    withUnsafeBytes(of: frame.channel_position) { told in
      let isConfiguration7 = count == 8 && told[2] == UNKNOWN_CHANNEL
      for channel in 0..<count {
        self[channel] = Self.gains(at: isConfiguration7 ? Self.configuration7[channel] : Int32(told[channel]))
      }
    }
    whole = max(1, sum(left), sum(right))
  }

  private static let configuration7 = [
    FRONT_CHANNEL_CENTER, FRONT_CHANNEL_LEFT, FRONT_CHANNEL_RIGHT, SIDE_CHANNEL_LEFT, SIDE_CHANNEL_RIGHT,
    BACK_CHANNEL_LEFT, BACK_CHANNEL_RIGHT, LFE_CHANNEL,
  ]

  private subscript(channel: Int) -> (left: Int64, right: Int64) {
    get { (left[channel], right[channel]) }
    set { (left[channel], right[channel]) = newValue }
  }

  private func sum(_ gains: InlineArray<8, Int64>) -> Int64 {
    gains.indices.reduce(0) { $0 + gains[$1] }
  }

  /// In steps of 1/1024.
  private static func gains(at position: Int32) -> (left: Int64, right: Int64) {
    switch position {
    case FRONT_CHANNEL_LEFT: (1024, 0)
    case FRONT_CHANNEL_RIGHT: (0, 1024)
    case SIDE_CHANNEL_LEFT, BACK_CHANNEL_LEFT: (724, 0)
    case SIDE_CHANNEL_RIGHT, BACK_CHANNEL_RIGHT: (0, 724)
    case FRONT_CHANNEL_CENTER, BACK_CHANNEL_CENTER: (724, 724)
    default: (0, 0)
    }
  }

  /// One frame's left and right; `sample` gives a channel of it.
  @inline(__always)
  func mix(_ sample: (Int) -> Int32) -> (left: Int32, right: Int32) {
    var sums: (left: Int64, right: Int64) = (0, 0)
    for channel in 0..<count {
      let value = Int64(sample(channel))
      sums.left &+= value &* left[channel]
      sums.right &+= value &* right[channel]
    }
    return (Int32(truncatingIfNeeded: sums.left / whole), Int32(truncatingIfNeeded: sums.right / whole))
  }
}
