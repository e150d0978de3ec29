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

extension Radio {
  /// The threads' heartbeats now.
  public var heartbeats: Heartbeats { engine.heartbeats }

  /// Makes the sound so loud from now on, 0 dB being as sent, -60 … +12; nil is silence. Reached within 5 ms.
  public func setLoudness(_ decibels: Double?) {
    let factor = decibels.map { power(10, min(12, max(-60, $0)) / 20) } ?? 0
    engine.setGain(Int32(factor * Double(1 << 24)))
  }
}
