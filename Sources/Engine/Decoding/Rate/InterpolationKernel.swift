import Glibc

/// A windowed sinc kernel of 16 taps for 256 positions between two frames, with linear interpolation between positions.
/// At a whole frame the kernel is exactly 1 for that frame and 0 elsewhere, so interpolation starts and ends
/// seamlessly. The rows extend slightly beyond both frames.
struct InterpolationKernel: ~Copyable {
  /// The number of input frames that one output frame uses.
  static let tapCount = 16
  /// The taps before the frame that precedes the position.
  static let past = tapCount / 2 - 1
  /// The taps after that frame.
  static let future = tapCount / 2

  private static let rowBits: Int64 = 8
  private static let rowCount = 1 << rowBits
  /// Extra rows on each side; a run of eight frames moves at most this far.
  private static let margin = 8
  /// The Kaiser parameter: images are 100 dB down up to 12.5 kHz (at 44.1 kHz), 55 dB at 15 kHz.
  private static let beta = 9.5

  private let rows: UnsafeMutablePointer<SIMD16<Float>>

  init() {
    let count = Self.rowCount + 2 * Self.margin + 1
    rows = .allocate(capacity: count)
    for row in 0..<count {
      let place = Double(row - Self.margin) / Double(Self.rowCount)
      rows[row] = Self.taps(at: place)
    }
  }

  deinit { rows.deallocate() }

  /// Returns the taps at `place`, in 2^-32 of a frame. `place` may be up to a fortieth of a frame outside 0 … 2^32.
  @inline(__always)
  func taps(at place: Int64) -> SIMD16<Float> {
    let shift = 32 - Self.rowBits
    let row = rows + (Int(truncatingIfNeeded: place >> shift) &+ Self.margin)
    let rest = Float(Int32(truncatingIfNeeded: place & ((1 << shift) - 1))) * (1 / Float(1 << shift))
    return row[0] + (row[1] - row[0]) * rest
  }

  private static func taps(at place: Double) -> SIMD16<Float> {
    // The sines of all taps, sin(pi * distance), differ from this sine only in their sign.
    let sine = sin(Double.pi * (place > 0.5 ? 1 - place : place))
    var taps = SIMD16<Double>(repeating: 0)
    for tap in 0..<tapCount {
      let distance = Double(tap - past) - place
      let sign: Double = (tap - past) & 1 == 0 ? -1 : 1
      taps[tap] = distance == 0 ? 1 : sign * sine / (Double.pi * distance) * window(distance / Double(tapCount / 2))
    }
    return SIMD16<Float>(taps / taps.sum())
  }

  /// Returns Kaiser's window for -1 … 1.
  private static func window(_ place: Double) -> Double {
    abs(place) >= 1 ? 0 : bessel(beta * (1 - place * place).squareRoot()) / bessel(beta)
  }

  /// Returns the modified Bessel function of the first kind, order 0.
  private static func bessel(_ argument: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    for index in 1..<32 {
      let factor = argument / 2 / Double(index)
      term *= factor * factor
      sum += term
    }
    return sum
  }
}
