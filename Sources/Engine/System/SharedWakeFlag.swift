/// A wake flag of several threads: it is closed when the last of them lets go of it.
public final class SharedWakeFlag: Sendable {
  /// The flag.
  public let flag = WakeFlag()

  /// A flag that is not raised.
  public init() {}
}
