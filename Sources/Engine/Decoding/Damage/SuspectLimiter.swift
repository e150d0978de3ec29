import Units

/// Limits a suspect packet and the next two to 6 dB above the loudest sample of the last two seconds.
/// All other packets stay unchanged. Limited packets do not raise the limit, so that long damage does not escalate.
/// Before the first sound the limit is unknown, and suspect packets are discarded.
struct SuspectLimiter {
  private let mask: Int32
  private var recent = RecentPeak()
  private var hasBegun = false
  /// The remaining suspect packets after lost sync, including the current packet.
  private var unsyncedPackets = 0
  /// The remaining packets to limit, including the current packet.
  private var heldPackets = 0
  /// The gain of the last frame.
  private var gain: Float = 1
  private(set) var hasLowered = false

  private static let heldCount = 3
  private static let unsyncedCount = 2
  private static let rampFrameCount = 64

  init(_ depth: SampleDepth) { mask = depth == .bits24 ? ~0 : ~0xFF }

  /// Starts the next packet. A gap before the first packet is not lost sync.
  mutating func begin(followsGap: Bool) {
    heldPackets = max(0, heldPackets - 1)
    unsyncedPackets = followsGap && hasBegun ? Self.unsyncedCount : max(0, unsyncedPackets - 1)
    hasBegun = true
    hasLowered = false
    if unsyncedPackets > 0 { suspect() }
  }

  mutating func suspect(packetsAgo age: Int = 0) { heldPackets = max(heldPackets, Self.heldCount - age) }

  /// Returns true if the current packet is not limited, but loud enough to be lowered.
  func wouldLower(_ peak: Int32) -> Bool { !isHolding && recent.isKnown && peak > 2 * recent.value }

  var isHolding: Bool { heldPackets > 0 }

  /// True if the current packet is limited and no loudness is known.
  var isMute: Bool { isHolding && !recent.isKnown }

  /// Lowers `count` frames of a limited packet to the limit, each two samples of 24 bits; records the peak of an
  /// unlimited packet.
  mutating func limit(_ samples: UnsafeMutablePointer<Int32>, count: Int, peak: Int32, at rate: SampleRate) {
    guard isHolding else {
      gain = 1
      return recent.record(peak, frames: count, at: rate)
    }
    let limit = 2 * recent.value
    let wanted = peak > limit ? Float(limit) / Float(peak) : 1
    guard wanted < 1 || gain < 1 else { return }
    hasLowered = true
    lower(samples, count: count, by: wanted, to: Float(limit))
  }

  private mutating func lower(_ samples: UnsafeMutablePointer<Int32>, count: Int, by wanted: Float, to limit: Float) {
    let step = (wanted - gain) / Float(Self.rampFrameCount)
    for frame in 0..<count {
      gain = frame < Self.rampFrameCount ? gain + step : wanted
      samples[2 &* frame] = lowered(samples[2 &* frame], limit)
      samples[2 &* frame &+ 1] = lowered(samples[2 &* frame &+ 1], limit)
    }
  }

  private func lowered(_ sample: Int32, _ limit: Float) -> Int32 {
    Int32(max(-limit, min(limit, Float(sample) * gain))) & mask
  }
}
