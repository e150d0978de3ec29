import Rooms

/// Lists and sets the rooms of a Snapcast server. Control thread only.
public protocol RoomControl: AnyObject {
  /// The rooms, with all orders applied.
  var list: RoomList { get }
  /// The reason why rooms cannot be set, as a sentence; nil if they can.
  var absence: String? { get }

  /// Sets a room; false if impossible now.
  func send(_ order: RoomOrder) -> Bool
}

extension RoomControl {
  /// Sets a room, or throws the reason.
  public func set(_ room: Room, volume: Int? = nil, isMuted: Bool? = nil) throws(ControlRefusal) {
    if isMuted == false, room.isGroupMuted {
      throw ControlRefusal(.system, "The group of \(room.name) is muted in Snapcast; end that there")
    }
    guard send(RoomOrder(room.id, volume: volume, isMuted: isMuted)) else {
      throw ControlRefusal(.system, absence ?? "Too many rooms are being set; try again")
    }
  }

  /// Returns the room with a name, a number or a server id.
  func room(_ word: String) throws(ControlRefusal) -> Room {
    let rooms = list.rooms
    let named = rooms.filter { $0.name.lowercased() == word.lowercased() }
    if named.count > 1 {
      let numbers = named.map { "\($0.number)" }.joined(separator: ", ")
      throw ControlRefusal(.argument, "\(named.count) rooms are called \(word); say one's number: \(numbers)")
    }
    if let room = named.first ?? rooms.first(where: { "\($0.number)" == word || $0.id == word }) { return room }
    if let absence, rooms.isEmpty { throw ControlRefusal(.notFound, absence) }
    let names = rooms.prefix(16).map(\.name).joined(separator: ", ")
    throw ControlRefusal(.notFound, "There is no room \(word); there \(rooms.isEmpty ? "are none" : "are \(names)")")
  }
}
