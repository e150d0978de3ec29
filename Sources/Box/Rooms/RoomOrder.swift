/// A change of a room's volume or mute.
public struct RoomOrder: Equatable, Sendable {
  /// The room's id on the server.
  public let id: String
  /// Volume in percent, 0 … 100; nil for no change.
  public var volume: Int?
  /// True to mute, false to unmute; nil for no change.
  public var isMuted: Bool?

  /// Creates an order for a room.
  public init(_ id: String, volume: Int? = nil, isMuted: Bool? = nil) {
    (self.id, self.volume, self.isMuted) = (id, volume.map { max(0, min(100, $0)) }, isMuted)
  }
}

/// The orders to send, at most one per room. Newer values replace older values, so that a turned knob results in one
/// order.
struct RoomOrders {
  private(set) var waiting: [RoomOrder] = []

  /// Adds an order. Returns false if `RoomList.maxRooms` other rooms have an order.
  mutating func add(_ order: RoomOrder) -> Bool {
    guard let place = waiting.firstIndex(where: { $0.id == order.id }) else {
      guard waiting.count < RoomList.maxRooms else { return false }
      waiting.append(order)
      return true
    }
    waiting[place].volume = order.volume ?? waiting[place].volume
    waiting[place].isMuted = order.isMuted ?? waiting[place].isMuted
    return true
  }

  mutating func popFirst() -> RoomOrder? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
