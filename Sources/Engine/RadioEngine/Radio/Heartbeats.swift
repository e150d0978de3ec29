/// Counts the iterations of the radio's threads. Each count increases within five seconds while its thread works.
public struct Heartbeats: Equatable, Sendable {
  /// Iterations of the net thread.
  public var net: UInt32
  /// Iterations of the decode thread.
  public var decode: UInt32
  /// Iterations of the render thread; a card that stops accepting audio stops them.
  public var render: UInt32

  /// Returns the names of the threads without an iteration since `earlier`.
  public func standing(since earlier: Heartbeats) -> [String] {
    var names: [String] = []
    if net == earlier.net { names.append("net") }
    if decode == earlier.decode { names.append("decode") }
    if render == earlier.render { names.append("render") }
    return names
  }
}
