/// Mixes frames to mono and converts the mix to `LowRate.hertz`, without delay: sample n lies at n / `LowRate.hertz` s.
///
/// A windowed sinc removes the frequencies that the low rate cannot represent. The buffers are allocated at creation.
struct Decimator {
  private var history: [Float]
  private let kernel: [Float]
  /// Frames per output sample.
  private var ratio = 1.0
  private var rate = 0
  /// Number of input frames at this rate, and of output samples from them.
  private var inputCount = 0
  private var outputCount = 0
  /// Place of the first output sample, in output samples after the first frame at this rate.
  private var phase = 0.0

  /// Half of the kernel's length, in output samples.
  private static let reach = 8
  private static let stepsPerSample = 128
  /// Cutoff frequency as a part of the output rate.
  private static let cutoff = 0.37
  /// The history suffices for the kernel at the maximum ratio.
  private static let maxRatio = 254.0
  private static let mask = 4_095

  init() {
    history = [Float](repeating: 0, count: Self.mask + 1)
    let last = Self.reach * Self.stepsPerSample
    kernel = (0...(last + 1)).map { index in
      let place = Double(index) / Double(Self.stepsPerSample)
      return Float(2 * Self.cutoff * Wave.windowedSinc(place, cutoff: Self.cutoff, reach: Double(Self.reach)))
    }
  }

  /// Starts another stream.
  mutating func begin() {
    rate = 0
    clear()
  }

  private mutating func clear() {
    for index in history.indices { history[index] = 0 }
    (inputCount, outputCount, phase) = (0, 0, 0)
  }

  func accepts(_ rate: Int) -> Bool { rate == self.rate }

  /// Number of frames of silence after which all output samples up to the last frame can be read.
  var tailCount: Int { inputCount == 0 ? 0 : Int(Double(Self.reach) * ratio) + 1 }

  /// Changes the rate, after `tailCount` frames of silence. The time continues.
  mutating func change(to rate: Int, tailCount: Int) {
    let next = Double(outputCount) + phase - Double(inputCount - tailCount) / ratio
    clear()
    phase = max(0, next)
    self.rate = rate
    ratio = max(1, min(Self.maxRatio, Double(rate) / Double(LowRate.hertz)))
  }

  /// Consumes a frame; afterwards `next` must be read until it returns nil.
  mutating func consume(_ sample: Float) {
    history[inputCount & Self.mask] = sample
    inputCount &+= 1
  }

  /// Returns the next output sample; nil if more frames are needed.
  mutating func next() -> Float? {
    let place = (Double(outputCount) + phase) * ratio
    let half = Double(Self.reach) * ratio
    let last = Int(place + half)
    guard last < inputCount else { return nil }
    outputCount &+= 1
    let first = max(0, Int((place - half).rounded(.up)))
    let step = Float(Double(Self.stepsPerSample) / ratio)
    let middle = Float(place - Double(first))
    var sum: Float = 0
    for index in 0...(last - first) {
      let distance = abs(Float(index) - middle) * step
      sum += kernel[Int(distance + 0.5)] * history[(first &+ index) & Self.mask]
    }
    return sum / Float(ratio)
  }
}
