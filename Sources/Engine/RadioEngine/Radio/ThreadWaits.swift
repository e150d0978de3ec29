import AudioOutput
import Blocks

/// The waits of all threads at one time.
public struct ThreadWaits: Equatable, Sendable, CustomStringConvertible {
  /// The net thread's wait.
  public var net: NetWait
  /// The decode thread's wait.
  public var decode: DecodeWait
  /// The render thread's state.
  public var render: RenderState

  /// One thread after the other, for a log.
  public var description: String { "net: \(net), decode: \(decode), render: \(render)" }
}
