/// Finds the places of the old stream that resemble one window of the new stream.
///
/// The correlation with each place is the product of two Fourier transforms. A step of the work transforms two pieces
/// of the old stream, one as real and one as imaginary part. Allocated at creation.
struct WindowScan {
  /// A place in the old stream, and its correlation, -1 to 1.
  struct Peak {
    var place: Int
    var correlation: Float
  }

  private let transform = FourierTransform(size: 4_096)
  /// The conjugate transform of the window.
  private var window = ComplexRow(count: 4_096)
  private var piece = ComplexRow(count: 4_096)
  private var energy: Float = 0
  /// First place that the next step examines.
  private var next = 0
  /// The highest peaks in the examined places, the highest first.
  private(set) var peaks = [Peak](repeating: Peak(place: 0, correlation: 0), count: Self.maxPeaks)
  private(set) var peakCount = 0

  /// Places per piece.
  private static let hop = 4_096 - LowRate.window
  static let maxPeaks = 8
  /// Minimum correlation of a peak.
  private static let least: Float = 0.3
  /// Minimum distance of two peaks, in samples.
  private static let distance = 3

  /// Starts with the window at `place` of `track`.
  mutating func begin(_ track: LowRateTrack, at place: Int) {
    (next, energy) = (0, track.energy(at: place))
    peakCount = 0
    for index in 0..<transform.size {
      window.real[index] = index < LowRate.window ? Float(track.samples[place + index]) : 0
      window.imaginary[index] = 0
    }
    transform.apply(&window)
  }

  /// Examines the next places of `old`. Returns false after the last one.
  mutating func step(_ old: LowRateTrack) -> Bool {
    let last = old.count - LowRate.window
    guard next <= last, energy > 0 else { return false }
    let second = next + Self.hop
    for index in 0..<transform.size {
      piece.real[index] = next + index < old.count ? Float(old.samples[next + index]) : 0
      piece.imaginary[index] = second + index < old.count ? Float(old.samples[second + index]) : 0
    }
    transform.apply(&piece)
    multiply()
    transform.apply(&piece)
    collect(old, from: next, isSecond: false, last)
    collect(old, from: second, isSecond: true, last)
    next = second + Self.hop
    return next <= last
  }

  /// Multiplies the piece by the window's conjugate, and conjugates the product for the inverse transform.
  private mutating func multiply() {
    for index in 0..<transform.size {
      let (real, imaginary) = (piece.real[index], piece.imaginary[index])
      let (cosine, sine) = (window.real[index], window.imaginary[index])
      piece.real[index] = real * cosine + imaginary * sine
      piece.imaginary[index] = -(imaginary * cosine - real * sine)
    }
  }

  private mutating func collect(_ old: LowRateTrack, from first: Int, isSecond: Bool, _ last: Int) {
    guard first <= last else { return }
    let scale = 1 / Float(transform.size)
    var sum = Int64(old.energy(at: first))
    var (before, middle): (Float, Float) = (0, 0)
    for index in 0...min(Self.hop, last - first) {
      let product = scale * (isSecond ? -piece.imaginary[index] : piece.real[index])
      let correlation = sum > 0 ? product / (energy * Float(sum)).squareRoot() : 0
      if index > 0, abs(middle) > Self.least, abs(middle) >= abs(before), abs(middle) > abs(correlation) {
        insert(Peak(place: first + index - 1, correlation: middle))
      }
      (before, middle) = (middle, correlation)
      guard index < last - first else { break }
      let (gone, come) = (Int64(old.samples[first + index]), Int64(old.samples[first + index + LowRate.window]))
      sum += come * come - gone * gone
    }
    if abs(middle) > Self.least, abs(middle) >= abs(before) {
      insert(Peak(place: first + min(Self.hop, last - first), correlation: middle))
    }
  }

  /// Inserts a peak by its height, instead of a lower one close to it.
  private mutating func insert(_ peak: Peak) {
    for index in 0..<peakCount where abs(peaks[index].place - peak.place) < Self.distance {
      guard abs(peaks[index].correlation) < abs(peak.correlation) else { return }
      for later in index + 1..<max(index + 1, peakCount) { peaks[later - 1] = peaks[later] }
      peakCount -= 1
      break
    }
    var index = min(peakCount, Self.maxPeaks - 1)
    guard peakCount < Self.maxPeaks || abs(peaks[index].correlation) < abs(peak.correlation) else { return }
    while index > 0, abs(peaks[index - 1].correlation) < abs(peak.correlation) {
      peaks[index] = peaks[index - 1]
      index -= 1
    }
    peaks[index] = peak
    peakCount = min(Self.maxPeaks, peakCount + 1)
  }
}
