/// What a room is to be: another volume, muted or not.
public struct RoomOrder: Equatable, Sendable {
  /// The room, as the server knows it.
  public let id: String
  /// The volume in percent, 0 … 100; nil: as it is.
  public var volume: Int?
  /// Whether it is muted; nil: as it is.
  public var isMuted: Bool?

  /// An order for a room.
  public init(_ id: String, volume: Int? = nil, isMuted: Bool? = nil) {
    (self.id, self.volume, self.isMuted) = (id, volume.map { max(0, min(100, $0)) }, isMuted)
  }
}

/// The orders that wait to be sent: one for each room, which the newest values replace. A knob that is turned for long
/// leaves one behind.
struct RoomOrders {
  private(set) var waiting: [RoomOrder] = []

  /// Adds an order; false where as many rooms as a list has are waited for.
  mutating func add(_ order: RoomOrder) -> Bool {
    guard let place = waiting.firstIndex(where: { $0.id == order.id }) else {
      guard waiting.count < RoomList.most else { return false }
      waiting.append(order)
      return true
    }
    waiting[place].volume = order.volume ?? waiting[place].volume
    waiting[place].isMuted = order.isMuted ?? waiting[place].isMuted
    return true
  }

  /// The oldest, which then waits no more.
  mutating func takeFirst() -> RoomOrder? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
