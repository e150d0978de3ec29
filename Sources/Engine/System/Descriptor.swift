import Glibc

/// A file descriptor that is closed when its owner goes (close(2)).
public struct Descriptor: ~Copyable, Sendable {
  /// The number, for calls that take one; negative where the call that made it failed. The owner alone closes it.
  public let raw: Int32

  /// Takes a descriptor that a call has just made, or its failure.
  public init(_ raw: Int32) { self.raw = raw }

  deinit { if raw >= 0 { close(raw) } }

  /// Whether the call that made it succeeded.
  public var isOpen: Bool { raw >= 0 }
}
