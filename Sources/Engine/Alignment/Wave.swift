/// The sine and the windowed sinc without a library, so that all machines compute the same.
enum Wave {
  /// Returns the sine of a number of turns.
  static func sine(_ turns: Double) -> Double {
    let angle = 2 * Double.pi * (turns - turns.rounded())
    var (sum, term, order) = (0.0, angle, 1.0)
    // The angle is at most half a turn: the 30th power is below the precision of a Double.
    while order < 30 {
      sum += term
      term *= -angle * angle / ((order + 1) * (order + 2))
      order += 2
    }
    return sum
  }

  /// Returns the cosine of a number of turns.
  static func cosine(_ turns: Double) -> Double { sine(turns + 0.25) }

  /// Returns sin(2πcx) / 2πcx inside a Hann window that ends at `reach`. `cutoff`: c, in turns.
  static func windowedSinc(_ place: Double, cutoff: Double, reach: Double) -> Double {
    guard abs(place) < reach else { return 0 }
    let angle = 2 * Double.pi * cutoff * place
    let sinc = angle == 0 ? 1 : sine(cutoff * place) / angle
    return sinc * (0.5 + 0.5 * cosine(place / (2 * reach)))
  }
}
