import Units

/// Which rate a programme is played at.
public enum RatePolicy: Equatable, Sendable {
  /// At its own where the sink has it, else at the nearest that the sink has.
  case follow([SampleRate])
  /// At that of the first programme, for good: a file cannot change its rate.
  case keepFirst
  /// At this one.
  case fixed(SampleRate)

  /// The rate for a programme of `rate`, when `first` was the first programme's.
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
