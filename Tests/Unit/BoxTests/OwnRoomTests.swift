import Json
import Panel
import PanelWords
import Testing

@testable import Box
@testable import Rooms

/// The box's own room, and the effect of its buttons (M1).
@Suite struct OwnRoomTests {
  private static let mac = "02:fc:00:00:00:01"

  /// A list of clients: id, name, hardware address, host, and true if connected.
  private static func list(_ clients: [(String, String, String, String, Bool)]) throws -> RoomList {
    let texts = clients.map { id, name, mac, host, isConnected in
      #"{"id":"\#(id)","connected":\#(isConnected),"config":{"name":"\#(name)","volume":{"percent":5,"muted":false}},"#
        + #""host":{"mac":"\#(mac)","name":"\#(host)"}}"#
    }
    var list = RoomList()
    let text = #"{"groups":[{"id":"g","clients":[\#(texts.joined(separator: ","))]}]}"#
    guard list.apply(server: try JsonValue(Array(text.utf8).span)) else { throw JsonError.malformed }
    return list
  }

  private func find(_ client: String, in list: RoomList) -> String? {
    OwnRoom(client: client, hardware: ["aa:aa:aa:aa:aa:aa", Self.mac], host: "kitchen-box").find(in: list)?.id
  }

  @Test("The client's id decides first, then its hardware address, then its machine's name")
  func machine() throws {
    let others = ("x", "X", "00:00:00:00:00:00", "other", true)
    let byHost = ("h", "", "00:00:00:00:00:00", "kitchen-box", true)
    let byAddress = ("m", "", Self.mac.uppercased(), "other", true)
    let byId = (Self.mac, "", "", "", false)
    #expect(find("", in: try Self.list([others])) == nil && find("", in: RoomList()) == nil)
    #expect(find("", in: try Self.list([others, byHost])) == "h")
    #expect(find("", in: try Self.list([byHost, byAddress, others])) == "m")
    #expect(find("", in: try Self.list([byHost, byAddress, byId])) == Self.mac)
    #expect(find("", in: try Self.list([(Self.mac + "#2", "", "", "", true), byAddress])) == Self.mac + "#2")
  }

  @Test("A connected client is preferred")
  func connected() throws {
    let list = try Self.list([("a", "", Self.mac, "", false), ("b", "", Self.mac, "", true)])
    #expect(find("", in: list) == "b")
  }

  @Test("The configured client is used, by id or name, and no other")
  func named() throws {
    let list = try Self.list([("1", "Küche", Self.mac, "kitchen-box", true), ("2", "Bad", "", "", false)])
    #expect(find("bad", in: list) == "2" && find("KÜCHE", in: list) == "1" && find("2", in: list) == "2")
    #expect(find("Flur", in: list) == nil)
  }

  @Test("The machine's own name and addresses are known")
  func own() {
    let own = OwnRoom(client: "x")
    #expect(own.client == "x" && !own.host.isEmpty)
    #expect(own.hardware.allSatisfy { $0.utf8.count == 17 && $0 == $0.lowercased() && $0 != "00:00:00:00:00:00" })
  }

  @Test("On a room the buttons control volume, mute and menu")
  func buttons() {
    func meanings(_ action: PanelAction) -> [PanelInput?] {
      [true, false].map { RoomInput.translate(of: .action(action), isFree: $0) }
    }
    for action in [PanelAction.volumeUp, .volumeDown, .mute, .select, .menu, .up, .down] {
      #expect(meanings(action) == [.action(action), .action(action)])
    }
    #expect(meanings(.mode) == [.action(.menu), .action(.menu)])
    for action in [PanelAction.playPause, .stop, .power] {
      #expect(meanings(action) == [.action(.mute), .action(.mute)])
    }
    for action in [PanelAction.next, .previous] { #expect(meanings(action) == [nil, .action(action)]) }
    for action in [PanelAction.preset(1), .rewind, .forward, .live, .record, .keep, .display, .sleep] {
      #expect(meanings(action) == [nil, nil])
    }
    #expect(RoomInput.translate(of: .turn(2, mode: .scrub), isFree: true) == .turn(2))
    #expect(RoomInput.translate(of: .turn(2, mode: .volume), isFree: true) == .turn(2, mode: .volume))
  }
}
