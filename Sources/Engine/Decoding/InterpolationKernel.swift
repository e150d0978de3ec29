import Glibc

/// Sixteen taps of a windowed sine cardinal for 256 places between two frames, and straight lines between those.
///
/// At a whole frame the kernel is exactly 1 at that frame and 0 elsewhere, so a sound can go from untouched to
/// interpolated and back without a seam. The rows go a little beyond both frames.
struct InterpolationKernel: ~Copyable {
  /// Frames that a place between two frames is made of.
  static let tapCount = 16
  /// Those of them that lie before the frame which the place follows.
  static let past = tapCount / 2 - 1
  /// Those that lie behind it.
  static let future = tapCount / 2

  private static let rowBits: Int64 = 8
  private static let rowCount = 1 << rowBits
  /// Rows beyond either frame: as far as eight of the longest steps go.
  private static let margin = 8
  /// Kaiser's: images lie 100 dB below what they are images of up to 12.5 kHz (at 44.1 kHz), 55 dB at 15 kHz.
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

  /// The taps at `place`, in 2^-32 of a frame: from the first frame (0) to the next (2^32), or a fortieth beyond.
  @inline(__always)
  func taps(at place: Int64) -> SIMD16<Float> {
    let shift = 32 - Self.rowBits
    let row = rows + (Int(truncatingIfNeeded: place >> shift) &+ Self.margin)
    let rest = Float(Int32(truncatingIfNeeded: place & ((1 << shift) - 1))) * (1 / Float(1 << shift))
    return row[0] + (row[1] - row[0]) * rest
  }

  private static func taps(at place: Double) -> SIMD16<Float> {
    // sin(x) of x = pi times a whole number and a place differs from this one by its sign only.
    let sine = sin(Double.pi * (place > 0.5 ? 1 - place : place))
    var taps = SIMD16<Double>(repeating: 0)
    for tap in 0..<tapCount {
      let distance = Double(tap - past) - place
      let sign: Double = (tap - past) & 1 == 0 ? -1 : 1
      taps[tap] = distance == 0 ? 1 : sign * sine / (Double.pi * distance) * window(distance / Double(tapCount / 2))
    }
    return SIMD16<Float>(taps / taps.sum())
  }

  /// Kaiser's window, -1 … 1.
  private static func window(_ place: Double) -> Double {
    abs(place) >= 1 ? 0 : bessel(beta * (1 - place * place).squareRoot()) / bessel(beta)
  }

  /// The modified Bessel function of the first kind and order 0.
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
