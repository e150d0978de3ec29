/// The rounds of the radio's threads. A working thread never pauses for five seconds.
public struct Heartbeats: Equatable, Sendable {
  /// The net thread's rounds.
  public var net: UInt32
  /// The decode thread's rounds.
  public var decode: UInt32
  /// The render thread's rounds; a card that stops accepting sound stops them.
  public var render: UInt32

  /// Returns the names of the threads without a new round since `earlier`.
  public func standing(since earlier: Heartbeats) -> [String] {
    var names: [String] = []
    if net == earlier.net { names.append("net") }
    if decode == earlier.decode { names.append("decode") }
    if render == earlier.render { names.append("render") }
    return names
  }
}
