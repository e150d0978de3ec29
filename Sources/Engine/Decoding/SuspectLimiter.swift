import Units

/// Holds a packet that may be damaged, and the next two, to 6 dB over the loudest sample of the last two seconds.
///
/// All other packets stay as they were decoded, however loud they are. Held packets do not count as loud, so that a
/// long damage does not grow. Before any sound is known there is nothing to hold them to: they are not heard.
struct SuspectLimiter {
  private let mask: Int32
  private var recent = RecentPeak()
  private var hasBegun = false
  /// So many packets, with the current one, come after lost sync.
  private var unsyncedPackets = 0
  /// So many packets, with the current one, are held.
  private var heldPackets = 0
  /// What the last frame was multiplied by.
  private var gain: Float = 1
  /// Samples of the current packet were lowered.
  private(set) var hasLowered = false

  /// The suspect packet and the next two.
  private static let heldCount = 3
  /// The framer lost sync in the last two packets.
  private static let unsyncedCount = 2
  /// Frames in which the gain goes from the last one to the next.
  private static let rampFrameCount = 64

  /// A limiter for samples that are rounded to `depth`.
  init(_ depth: SampleDepth) { mask = depth == .bits24 ? ~0 : ~0xFF }

  /// Begins the next packet. At the beginning of a programme there was no sync that could be lost.
  mutating func begin(followsGap: Bool) {
    heldPackets = max(0, heldPackets - 1)
    unsyncedPackets = followsGap && hasBegun ? Self.unsyncedCount : max(0, unsyncedPackets - 1)
    hasBegun = true
    hasLowered = false
    if unsyncedPackets > 0 { suspect() }
  }

  /// Says that the current packet may be damaged, or the one so many before it.
  mutating func suspect(packetsAgo age: Int = 0) { heldPackets = max(heldPackets, Self.heldCount - age) }

  /// Whether a packet that is not held is so loud that it would be lowered.
  func wouldLower(_ peak: Int32) -> Bool { !isHolding && recent.isKnown && peak > 2 * recent.value }

  /// Whether the current packet is held.
  var isHolding: Bool { heldPackets > 0 }

  /// Whether the current packet is held and nothing says how loud it may be.
  var isMute: Bool { isHolding && !recent.isKnown }

  /// Takes `count` frames of the current packet, two interleaved samples of 24 bits each, and the loudest of them:
  /// notes it, or lowers them where the packet is held.
  mutating func limit(_ samples: UnsafeMutablePointer<Int32>, count: Int, peak: Int32, at rate: SampleRate) {
    guard isHolding else {
      gain = 1
      return recent.note(peak, frames: count, at: rate)
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
