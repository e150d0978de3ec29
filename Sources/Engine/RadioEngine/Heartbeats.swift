/// How often each of the radio's threads came round: none stands still for five seconds while it works.
public struct Heartbeats: Equatable, Sendable {
  /// The net thread.
  public var net: UInt32
  /// The decode thread.
  public var decode: UInt32
  /// The render thread; a card that takes nothing any more stops it.
  public var render: UInt32

  /// The names of those that did not come round since `earlier`.
  public func standing(since earlier: Heartbeats) -> [String] {
    var names: [String] = []
    if net == earlier.net { names.append("net") }
    if decode == earlier.decode { names.append("decode") }
    if render == earlier.render { names.append("render") }
    return names
  }
}
