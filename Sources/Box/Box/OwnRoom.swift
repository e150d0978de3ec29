import Rooms
import System

/// Which of a snapserver's rooms is this box: the client that runs on this machine.
struct OwnRoom {
  /// What the settings call it; empty: the machine's own client.
  let client: String
  /// The hardware addresses of the machine's network cards, in small letters.
  let hardware: [String]
  /// The machine's name.
  let host: String

  /// The room in a list; nil where it is not there. The id that snapclient makes of a hardware address says most, then
  /// the address that it tells, then the machine's name. Of several the one that is connected counts.
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
  /// The room of this machine, as the settings call it.
  init(client: String) {
    self.init(client: client, hardware: NetworkAddress.hardware, host: MachineName.own.text)
  }
}
