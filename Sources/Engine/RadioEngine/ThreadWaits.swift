import AudioOutput
import Blocks

/// What each thread waited for at one moment.
public struct ThreadWaits: Equatable, Sendable, CustomStringConvertible {
  /// The net thread.
  public var net: NetWait
  /// The decode thread.
  public var decode: DecodeWait
  /// What the render thread did.
  public var render: RenderState

  /// One thread after the other, for a log.
  public var description: String { "net: \(net), decode: \(decode), render: \(render)" }
}
