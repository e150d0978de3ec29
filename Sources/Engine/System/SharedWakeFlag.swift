/// A wake flag with several owners; the last owner closes it.
public final class SharedWakeFlag: Sendable {
  /// The flag.
  public let flag = WakeFlag()

  /// Creates a cleared flag.
  public init() {}
}
