import Units

/// The rule for a programme's output rate.
public enum RatePolicy: Equatable, Sendable {
  /// The programme's rate if the sink supports it, otherwise the nearest supported rate. An empty list means that the
  /// sink supports every rate.
  case follow([SampleRate])
  /// The first programme's rate, because a file cannot change it.
  case keepFirst
  /// A constant rate.
  case fixed(SampleRate)

  /// Returns the output rate for `rate`; `first` is the first programme's.
  public func rate(for rate: SampleRate, first: SampleRate) -> SampleRate {
    switch self {
    case .fixed(let fixed): fixed
    case .keepFirst: first
    case .follow(let rates) where rates.contains(rate) || rates.isEmpty: rate
    case .follow(let rates):
      rates.min { abs($0.hertz - rate.hertz) < abs($1.hertz - rate.hertz) } ?? rate
    }
  }
}
