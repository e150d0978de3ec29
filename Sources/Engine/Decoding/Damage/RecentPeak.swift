import Units

/// The loudest sample of the last two seconds, in slots of a tenth of a second.
struct RecentPeak {
  private static let slotsPerSecond = 10
  /// The maximum magnitude of 24 bits; libfaad exceeds it if it computes not-a-number.
  private static let full: Float = 8_388_608
  private var slots = InlineArray<20, Int32>(repeating: 0)
  private var current = 0
  private var frameCount = 0
  private(set) var isKnown = false

  /// The loudest sample's magnitude, in 24 bits; 0 for silence and before the first sound.
  var value: Int32 {
    var loudest: Int32 = 0
    for index in slots.indices { loudest = max(loudest, slots[index]) }
    return loudest
  }

  mutating func record(_ peak: Int32, frames count: Int, at rate: SampleRate) {
    assert(peak >= 0 && count >= 0, "a peak is how far from zero, in frames that there are")
    isKnown = true
    slots[current] = max(slots[current], min(peak, Int32(Self.full)))
    frameCount += count
    guard frameCount * Self.slotsPerSecond >= Int(rate.hertz) else { return }
    frameCount = 0
    current = (current + 1) % slots.count
    slots[current] = 0
  }

  /// Returns the maximum magnitude of `count` 24-bit samples. Reads 16 at a time, because all decoded sound is checked.
  static func peak(_ samples: UnsafePointer<Int32>, count: Int) -> Int32 {
    var one = SIMD4<Float>(repeating: 0), two = one, three = one, four = one
    let bytes = UnsafeRawPointer(samples)
    for step in 0..<count / 16 {
      let place = 64 &* step
      one = larger(one, size(bytes + place))
      two = larger(two, size(bytes + (place &+ 16)))
      three = larger(three, size(bytes + (place &+ 32)))
      four = larger(four, size(bytes + (place &+ 48)))
    }
    let most = larger(larger(one, two), larger(three, four))
    var peak = Int32(min(full, max(max(most[0], most[1]), max(most[2], most[3]))))
    for index in count & ~15..<count { peak = max(peak, samples[index] ^ (samples[index] >> 31)) }
    return peak
  }

  /// Returns the absolute values of four samples.
  @inline(__always)
  private static func size(_ bytes: UnsafeRawPointer) -> SIMD4<Float> {
    let samples = SIMD4<Float>(bytes.loadUnaligned(as: SIMD4<Int32>.self))
    return unsafeBitCast(unsafeBitCast(samples, to: SIMD4<UInt32>.self) & 0x7FFF_FFFF, to: SIMD4<Float>.self)
  }

  @inline(__always)
  private static func larger(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> SIMD4<Float> {
    one.replacing(with: other, where: one .< other)
  }
}
