import Glibc

/// A file descriptor that is closed with its owner (close(2)).
public struct Descriptor: ~Copyable, Sendable {
  /// The descriptor's number; negative if the call that created it failed. Only the owner closes it.
  public let raw: Int32

  /// Adopts the result of a call, which may be a failure.
  public init(_ raw: Int32) { self.raw = raw }

  deinit { if raw >= 0 { close(raw) } }

  /// True if the call that created it succeeded.
  public var isOpen: Bool { raw >= 0 }
}
