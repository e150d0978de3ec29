import Glibc

/// A file descriptor, closed by its deinitialization (close(2)).
public struct Descriptor: ~Copyable, Sendable {
  /// The descriptor's number; negative if its creation failed. Only this value may close it.
  public let raw: Int32

  /// Adopts the result of a call such as open(2), which may be negative.
  public init(_ raw: Int32) { self.raw = raw }

  deinit { if raw >= 0 { close(raw) } }

  /// True if the creation succeeded.
  public var isOpen: Bool { raw >= 0 }
}
