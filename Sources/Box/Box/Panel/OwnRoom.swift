import Rooms
import System

/// Finds this machine's client among the rooms of a Snapcast server.
struct OwnRoom {
  /// Configured id or name of this machine's client; empty if not configured.
  let client: String
  /// Hardware addresses of the machine's network cards, in lower case.
  let hardware: [String]
  let host: String

  /// Returns this machine's room, preferably a connected room; nil if it is not in the list. If no client is
  /// configured, compares three values: snapclient's id (a hardware address), the reported hardware address, the host
  /// name.
  func find(in list: RoomList) -> Room? {
    let tests: [(Room) -> Bool] =
      client.isEmpty
      ? [
        { room in hardware.contains { room.id.lowercased() == $0 || room.id.lowercased().hasPrefix($0 + "#") } },
        { hardware.contains($0.hardwareAddress) }, { !host.isEmpty && $0.host == host },
      ] : [{ $0.id == client }, { $0.name.lowercased() == client.lowercased() }]
    for test in tests {
      let found = list.rooms.filter(test)
      if let room = found.first(where: \.isConnected) ?? found.first { return room }
    }
    return nil
  }
}

extension OwnRoom {
  init(client: String) {
    self.init(client: client, hardware: NetworkAddress.hardware, host: MachineName.own.text)
  }
}
