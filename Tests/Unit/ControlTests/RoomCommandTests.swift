import Json
import Testing

@testable import Control
@testable import Rooms

/// Applies each order at once, or refuses all orders.
private final class FakeRooms: RoomControl {
  var list = RoomList()
  var absence: String?
  private(set) var orders: [RoomOrder] = []

  init(_ names: [String], groupMuted: Bool = false) throws {
    let clients = names.enumerated().map { place, name in
      #"{"id":"id-\#(place + 1)","connected":true,"config":{"name":"\#(name)","volume":{"percent":50,"muted":false}}}"#
    }
    let text = #"{"groups":[{"id":"g","muted":\#(groupMuted),"clients":[\#(clients.joined(separator: ","))]}]}"#
    guard list.apply(server: try JsonValue(Array(text.utf8).span)) else { throw JsonError.malformed }
  }

  func send(_ order: RoomOrder) -> Bool {
    guard absence == nil else { return false }
    orders.append(order)
    list = list.with(order)
    return true
  }
}

@Suite struct RoomCommandTests {
  private let bench: Bench
  private let client: Client
  private let rooms: FakeRooms

  init() throws {
    (bench, rooms) = (try Bench(), try FakeRooms(["Kitchen", "Bath", "bath", "7"]))
    client = bench.client()
    bench.context.use(rooms: rooms)
  }

  @Test("Rooms are listed, and set by name, number or id (M1)")
  func setting() {
    #expect(client.values("room", of: "radio_room") == ["Kitchen", "Bath", "bath", "7"])
    #expect(client.ask("radio_room kitchen") == "room: Kitchen\nnumber: 1\nvolume: 50\nmuted: 0\nconnected: 1\nOK\n")
    #expect(client.ask("radio_room kitchen 20") == "OK\n" && client.ask("radio_room 2 mute") == "OK\n")
    #expect(client.ask("radio_room id-3 unmute") == "OK\n" && client.ask("radio_room 7 100") == "OK\n")
    #expect(
      rooms.orders == [
        RoomOrder("id-1", volume: 20), RoomOrder("id-2", isMuted: true), RoomOrder("id-3", isMuted: false),
        RoomOrder("id-4", volume: 100),
      ])
    #expect(client.value("volume", of: "radio_room 1") == "20" && client.value("muted", of: "radio_room 2") == "1")
    #expect(client.value("rooms", of: "radio_status") == "4")
  }

  @Test(
    "An impossible change of a room gives a sentence (M1)",
    arguments: [
      ("attic", "[50@0] {radio_room} There is no room attic; there are Kitchen, Bath, bath, 7"),
      ("bath 5", "[2@0] {radio_room} 2 rooms are called bath; say one's number: 2, 3"),
      ("kitchen 101", "[2@0] {radio_room} The volume of a room lies between 0 and 100: 101"),
      ("kitchen -1", "[2@0] {radio_room} The volume of a room lies between 0 and 100: -1"),
      ("kitchen loud", "[2@0] {radio_room} A room is set to a volume of 0 to 100, mute or unmute: loud"),
      ("kitchen +5", "[2@0] {radio_room} A room is set to a volume of 0 to 100, mute or unmute: +5"),
      ("kitchen 5 6", "[2@0] {radio_room} too many arguments for \"radio_room\""),
    ])
  func refusals(_ arguments: String, _ expected: String) {
    #expect(client.ask("radio_room \(arguments)") == "ACK \(expected)\n" && rooms.orders == [])
  }

  @Test("A missing server is reported, and its rooms cannot be set (M1)")
  func gone() throws {
    rooms.absence = "The snapserver does not answer."
    #expect(client.value("problem", of: "radio_room") == "The snapserver does not answer.")
    #expect(client.ask("radio_room kitchen 5") == "ACK [52@0] {radio_room} The snapserver does not answer.\n")
    #expect(client.ask("disableoutput 1") == "ACK [52@0] {disableoutput} The snapserver does not answer.\n")
    let none = try FakeRooms([])
    none.absence = "Nobody is there."
    bench.context.use(rooms: none)
    #expect(client.ask("radio_room x") == "ACK [50@0] {radio_room} Nobody is there.\n")
    #expect(client.ask("radio_room") == "problem: Nobody is there.\nOK\n")
  }

  @Test("Without rooms there is one output, and a hint for rooms (M1)")
  func none() throws {
    let alone = try Bench()
    #expect(alone.client().values("outputid", of: "outputs") == ["0"])
    #expect(
      alone.client().ask("radio_room")
        == "ACK [50@0] {radio_room} There are no rooms; set output = \"snapcast\" in [audio]\n")
    #expect(alone.client().value("rooms", of: "radio_status") == nil)
    #expect(alone.client().ask("enableoutput 1") == "ACK [50@0] {enableoutput} No such audio output\n")
  }

  @Test("Rooms are outputs from 1 on; a disabled one is muted (M1)")
  func outputs() {
    #expect(client.values("outputname", of: "outputs") == ["Bakelite", "Kitchen", "Bath", "bath", "7"])
    #expect(client.values("plugin", of: "outputs") == ["alsa", "snapcast", "snapcast", "snapcast", "snapcast"])
    #expect(client.ask("disableoutput 2") == "OK\n" && client.ask("toggleoutput 3") == "OK\n")
    #expect(client.values("outputenabled", of: "outputs") == ["1", "1", "0", "0", "1"])
    #expect(client.ask("toggleoutput 3") == "OK\n" && client.ask("enableoutput 2") == "OK\n")
    #expect(client.values("outputenabled", of: "outputs") == ["1", "1", "1", "1", "1"])
    #expect(client.ask("enableoutput 5") == "ACK [50@0] {enableoutput} No such audio output\n")
    #expect(client.ask("outputset 1 a b") == "ACK [2@0] {outputset} Unsupported attribute\n")
    #expect(client.ask("moveoutput Kitchen") == "OK\n")
  }

  @Test("A room in a muted group stays silent, with a message (M1)")
  func group() throws {
    let muted = try FakeRooms(["Hall"], groupMuted: true)
    bench.context.use(rooms: muted)
    #expect(client.value("muted", of: "radio_room hall") == "1")
    let refusal = "The group of Hall is muted in Snapcast; end that there"
    #expect(client.ask("radio_room hall unmute") == "ACK [52@0] {radio_room} \(refusal)\n")
    #expect(client.ask("enableoutput 1") == "ACK [52@0] {enableoutput} \(refusal)\n")
    #expect(client.ask("radio_room hall 5") == "OK\n")
  }

  @Test("A read-only client sees the rooms, and sets none (M1)")
  func permission() throws {
    var access = ControlAccess()
    access.local = .read
    let bench = try Bench(access)
    bench.context.use(rooms: rooms)
    let client = bench.client()
    #expect(client.values("room", of: "radio_room").count == 4)
    #expect(
      client.ask("radio_room kitchen 5") == "ACK [4@0] {radio_room} you don't have permission to set rooms\n")
    #expect(rooms.orders == [])
  }

  @Test("Without a radio, playback is refused, and other commands work (M1)")
  func withoutRadio() {
    bench.context.use(bench.player, absence: "There is no radio.")
    #expect(client.ask("setvol 5") == "ACK [52@0] {setvol} There is no radio.\n")
    bench.commands.allowWithoutRadio(["setvol", "nothing"])
    var told: [Int] = []
    bench.player.volume.connect { percent, _ in told.append(percent) }
    #expect(client.ask("setvol 5") == "OK\n" && told == [5])
    #expect(client.ask("play") == "ACK [52@0] {play} There is no radio.\n")
  }

  @Test("An external volume change is reported to clients only (M1)")
  func follows() {
    var told: [Int] = []
    bench.player.volume.connect { percent, _ in told.append(percent) }
    bench.player.volume.follow(33, isMuted: true)
    bench.player.settle()
    #expect(bench.changes == [[.mixer, .output]] && told == [])
    #expect(client.value("volume", of: "status") == "33" && client.values("outputenabled", of: "outputs")[0] == "0")
    bench.player.volume.follow(33, isMuted: true)
    bench.player.settle()
    #expect(bench.changes.count == 1)
  }
}
