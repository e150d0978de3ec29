import Json

/// The rooms and streams that a Snapcast server last reported. A value; the caller passes the server's messages.
public struct RoomList: Equatable, Sendable {
  static let maxRooms = 64
  private static let maxStreams = 16

  /// The rooms, sorted by number.
  public private(set) var rooms: [Room] = []
  /// Number of reported rooms that are not in `rooms`, because the list is full.
  private(set) var hiddenCount = 0
  private var streams: [RoomStream] = []

  /// Creates an empty list.
  public init() {}

  /// The room with a number; nil if unknown.
  public subscript(number: Int) -> Room? { rooms.first { $0.number == number } }

  /// Returns the stream of a room; nil if unknown.
  public func stream(of room: Room) -> RoomStream? { streams.first { $0.id == room.stream } }

  /// Returns a copy of the list with an order applied that the server has not confirmed.
  public func with(_ order: RoomOrder) -> RoomList {
    var list = self
    list.change(order.id) { room in
      room.volume = order.volume ?? room.volume
      room.isMutedItself = order.isMuted ?? room.isMutedItself
    }
    return list
  }

  /// A copy of the list with all rooms disconnected, for use after a lost connection to the server.
  public var disconnected: RoomList {
    var list = self
    for place in list.rooms.indices { list.rooms[place].isConnected = false }
    return list
  }

  // MARK: Messages

  enum Effect: Equatable {
    /// The message does not concern a listed room or stream.
    case none
    case taken
    /// The full status must be requested.
    case outdated
  }

  /// Applies a full status, from the result of `Server.GetStatus` or from `Server.OnUpdate`. Returns false if the
  /// status is invalid.
  mutating func apply(server: JsonValue?) -> Bool {
    guard let groups = server?["groups"]?.elements else { return false }
    var found: [Room] = []
    var ids: Set<String> = []
    for group in groups {
      let (id, stream) = (group["id"]?.string ?? "", group["stream_id"]?.string ?? "")
      for client in group["clients"]?.elements ?? [] {
        guard var room = Room(client), ids.insert(room.id).inserted else { continue }
        room.join(group: id, stream: stream, isMuted: group["muted"]?.bool ?? false)
        found.append(room)
      }
    }
    number(found)
    streams = (server?["streams"]?.elements ?? []).lazy.compactMap { RoomStream($0) }.prefix(Self.maxStreams).map {
      $0
    }
    return true
  }

  /// Stores the found rooms up to the maximum, connected rooms first. Known rooms retain their numbers.
  private mutating func number(_ found: [Room]) {
    let numbers = Dictionary(rooms.map { ($0.id, $0.number) }, uniquingKeysWith: { first, _ in first })
    let kept = Set((found.filter(\.isConnected) + found.filter { !$0.isConnected }).prefix(Self.maxRooms).map(\.id))
    hiddenCount = found.count - kept.count
    var taken = Set(kept.compactMap { numbers[$0] })
    var next = 1
    // New rooms receive free numbers in the server's order.
    rooms = found.filter { kept.contains($0.id) }.map { room in
      var room = room
      if let number = numbers[room.id] {
        room.number = number
      } else {
        while !taken.insert(next).inserted { next += 1 }
        room.number = next
      }
      return room
    }.sorted { $0.number < $1.number }
  }

  mutating func apply(_ method: String, _ parameters: JsonValue) -> Effect {
    let id = parameters["id"]?.string ?? ""
    switch method {
    case "Server.OnUpdate": return apply(server: parameters["server"]) ? .taken : .outdated
    case "Client.OnConnect": return replace(parameters["client"]) ? .taken : .outdated
    case "Client.OnDisconnect": return replace(parameters["client"]) ? .taken : .none
    case "Client.OnVolumeChanged": return change(id) { _ = $0.apply(volume: parameters["volume"]) }
    case "Client.OnNameChanged": return change(id) { $0.rename(parameters["name"]?.string) }
    case "Group.OnMute":
      guard let isMuted = parameters["mute"]?.bool else { return .outdated }
      return change(group: id) { $0.isGroupMuted = isMuted }
    case "Group.OnStreamChanged":
      guard let stream = parameters["stream_id"]?.string else { return .outdated }
      return change(group: id) { $0.join(group: id, stream: stream, isMuted: $0.isGroupMuted) }
    case "Stream.OnUpdate":
      guard let stream = parameters["stream"].flatMap({ RoomStream($0) }) else { return .none }
      guard let place = streams.firstIndex(where: { $0.id == stream.id }) else { return .outdated }
      streams[place] = stream
      return .taken
    case "Stream.OnProperties":
      guard let place = streams.firstIndex(where: { $0.id == id }) else { return .none }
      streams[place].apply(parameters["properties"])
      return .taken
    default: return .none
    }
  }

  mutating func apply(volume: JsonValue?, of id: String) { change(id) { _ = $0.apply(volume: volume) } }

  private mutating func replace(_ client: JsonValue?) -> Bool {
    guard let client, var room = Room(client), let place = rooms.firstIndex(where: { $0.id == room.id }) else {
      return false
    }
    let old = rooms[place]
    room.join(group: old.group, stream: old.stream, isMuted: old.isGroupMuted)
    room.number = old.number
    rooms[place] = room
    return true
  }

  @discardableResult
  private mutating func change(_ id: String, _ work: (inout Room) -> Void) -> Effect {
    guard let place = rooms.firstIndex(where: { $0.id == id }) else { return .none }
    work(&rooms[place])
    return .taken
  }

  private mutating func change(group: String, _ work: (inout Room) -> Void) -> Effect {
    let places = rooms.indices.filter { rooms[$0].group == group }
    for place in places { work(&rooms[place]) }
    return places.isEmpty ? .none : .taken
  }
}

extension Room {
  fileprivate mutating func join(group: String, stream: String, isMuted: Bool) {
    self.group = group.utf8.count <= Self.maxIdLength ? group : ""
    self.stream = stream.utf8.count <= Self.maxIdLength ? stream : ""
    isGroupMuted = isMuted
  }
}
