/// The source that plays or is tried instead of the station or of its own address, for people (F7).
public struct SourceReport: Equatable, Sendable {
  /// The kind of a source.
  public enum Kind: String, Sendable {
    /// An address of the station itself.
    case address
    case fallback, tone
  }

  /// The next attempt to receive the station.
  public enum Next: Equatable, Sendable {
    /// Without a planned attempt: the listener chose the source, or the radio is paused.
    case never
    /// Seconds until the attempt.
    case planned(seconds: Double)
    /// The station is received in the background.
    case receiving
    /// The radio connects to the station again.
    case retrying
  }

  /// The name of the fallback, the alternative address without secrets, or "tone".
  public let source: String
  /// The kind of the source.
  public let kind: Kind
  /// The name of the station, or its address without secrets.
  public let station: String
  /// The reason why the station was left.
  public let reason: SourceReason
  /// Seconds since the station was left.
  public let seconds: Double
  /// The next attempt.
  public let next: Next

  /// The reason as a sentence. At another address the fault is over, but a slow line is still slow.
  public var reasonSentence: String {
    switch reason {
    case .slowLine: reason.sentence
    default: kind == .address ? "Before: \(reason.sentence)" : reason.sentence
    }
  }

  /// The next attempt as a sentence; nil if no attempt is planned.
  public var nextSentence: String? {
    switch next {
    case .never: nil
    case .planned(let seconds) where seconds > 0: "\(station) is tried again in \(Int(seconds.rounded(.up))) s."
    case .receiving where reason == .ad: "\(station) returns after its ad."
    case .receiving: "\(station) is being received."
    case .planned, .retrying: "\(station) is being tried."
    }
  }
}
