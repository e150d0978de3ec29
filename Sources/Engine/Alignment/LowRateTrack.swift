/// The first 30 s of a stream as mono samples at `LowRate.hertz`, high frequencies emphasised.
///
/// The emphasis sharpens the correlation: bass alone repeats within a window. Allocated at creation.
struct LowRateTrack {
  private(set) var samples: [Int16]
  private(set) var count = 0
  private var decimator = Decimator()
  private var before: Float = 0

  /// Part of the previous sample that is subtracted.
  private static let emphasis: Float = 0.95

  /// Divisor from 24 bits to 16 bits. The emphasis lowers bass, so that loud music still fits.
  private static let scale: Float = 128

  init() { samples = [Int16](repeating: 0, count: LowRate.capacity) }

  var isFull: Bool { count == samples.count }

  mutating func begin() {
    (count, before) = (0, 0)
    decimator.begin()
  }

  /// Appends interleaved frames. Ignores what exceeds the capacity.
  mutating func append(_ frames: Span<Int32>, channels: Int, rate: Int) {
    if !decimator.accepts(rate) { change(to: rate) }
    var start = 0
    while start &+ channels <= frames.count, !isFull {
      var sum: Float = 0
      for channel in 0..<channels { sum += Float(frames[start &+ channel]) }
      start &+= channels
      decimator.consume(sum / Float(channels))
      drain()
    }
  }

  private mutating func change(to rate: Int) {
    let count = decimator.tailCount
    for _ in 0..<count {
      decimator.consume(0)
      drain()
    }
    decimator.change(to: rate, tailCount: count)
  }

  private mutating func drain() { while !isFull, let low = decimator.next() { append(low) } }

  private mutating func append(_ low: Float) {
    let value = (low - Self.emphasis * before) / Self.scale
    before = low
    samples[count] = Int16(max(-32_767, min(32_767, value.rounded())))
    count += 1
  }

  /// Sum of the squares of a window that starts at `place`.
  func energy(at place: Int) -> Float {
    var sum: Int64 = 0
    for index in place..<(place + LowRate.window) {
      let sample = Int64(samples[index])
      sum &+= sample &* sample
    }
    return Float(sum)
  }
}
