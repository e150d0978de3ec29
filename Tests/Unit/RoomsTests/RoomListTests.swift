import Json
import Testing

@testable import Rooms

struct RoomListTests {
  @Test("A room has its given name, else its machine's, else its id")
  func names() throws {
    let list = try ToldList([
      Told.group("g", [Told.client("a", name: "Küche"), Told.client("b", host: "bad"), Told.client("c", host: "")]),
      Told.group(
        "h", [Told.client("d", name: #"\u0001\u200f Hall\n\u001b[31mway "#, connected: "false")], muted: "true"),
    ])
    #expect(list.list.rooms.map(\.name) == ["Küche", "bad", "c", "Hall [31mway"])
    #expect(list.list.rooms.map(\.number) == [1, 2, 3, 4])
    #expect(list.list.rooms.map(\.isConnected) == [true, true, true, false])
    #expect(list.list.rooms.map(\.isMuted) == [false, false, false, true])
    #expect(list.list.rooms.map(\.volume) == [74, 74, 74, 74])
    #expect(list[2]?.hardwareAddress == "02:fc:00:00:00:01" && list[2]?.host == "bad" && list[5] == nil)
  }

  @Test("A room retains its number; a new one gets the first free number")
  func numbers() throws {
    let list = try ToldList([Told.group("g", [Told.client("a"), Told.client("b"), Told.client("c")])])
    func take(_ ids: [String]) throws -> [String] {
      _ = list.take(try Told.value(Told.server(ids.map { Told.group("of-\($0)", [Told.client($0)]) })))
      return list.list.rooms.map { "\($0.number)\($0.id)" }
    }
    #expect(try take(["x", "c", "a"]) == ["1a", "2x", "3c"])
    #expect(try take(["y", "b", "c", "x"]) == ["1y", "2x", "3c", "4b"])
    #expect(try take([]) == [])
    #expect(try take(["b", "b"]) == ["1b"])
  }

  @Test("Above 64 rooms the connected ones are listed; names and ids are limited")
  func bounds() throws {
    let many = (0..<1_000).map { Told.client("c\($0)", connected: $0 % 20 == 0 ? "true" : "false") }
    let long = String(repeating: "n", count: 5_000)
    var limits = JsonValue.Limits()
    limits.values = 1_000_000
    let text = Told.server([Told.group("g", many + [Told.client("z", name: long), Told.client(long)])])
    let list = try ToldList([])
    #expect(list.take(try JsonValue(Array(text.utf8).span, limits: limits)))
    #expect(list.list.rooms.count == 64 && list.list.hiddenCount == 937)
    #expect(list.list.rooms.count { $0.isConnected } == 51)
    #expect(list.list.rooms.last?.name.utf8.count == 40)
    #expect(!list.list.rooms.contains { $0.id == long })
  }

  @Test(
    "A value of a wrong type is ignored",
    arguments: [
      (Told.client("a", volume: "7"), 0), (Told.client("a", volume: #"{"percent":5}"#), 0),
      (Told.client("a", volume: #"{"percent":"5","muted":false}"#), 0), (Told.client("", name: "b"), 0),
      ("null", 0), ("[]", 0), (#"{"id":5}"#, 0), (#"{"id":"a","config":[],"host":3}"#, 0),
      (Told.client("a", connected: "\"yes\""), 1),
      (#"{"id":"a","config":{"name":{},"volume":{"percent":1e300,"muted":true}},"host":{"name":[]}}"#, 1),
    ])
  func wrongTypes(_ client: String, _ count: Int) throws {
    let list = try ToldList([Told.group("g", [client, Told.client("z")])])
    #expect(list.list.rooms.count == count + 1)
    #expect(list.list.rooms.allSatisfy { (0...100).contains($0.volume) && !$0.name.isEmpty })
  }

  @Test(
    "Without groups the message is not a server's",
    arguments: ["null", "3", "{}", #"{"groups":{}}"#, #"{"groups":null}"#])
  func noServer(_ text: String) throws {
    let list = try ToldList([Told.group("g", [Told.client("a")])])
    #expect(!list.take(try Told.value(text)) && list.list.rooms.count == 1)
  }

  // MARK: Notifications

  private static let groups = [Told.group("g", [Told.client("a"), Told.client("b", name: "B")]), Told.group("h", [])]

  @Test("A change is applied, a new room requested, an unknown one ignored")
  func notifications() throws {
    let list = try ToldList(Self.groups, streams: [Told.stream("s")])
    let off = Told.client("a", name: "A", volume: #"{"muted":true,"percent":3}"#, connected: "false")
    #expect(try list.hear("Client.OnDisconnect", #"{"client":\#(off),"id":"a"}"#) == .taken)
    #expect(list[1]?.isConnected == false && list[1]?.name == "A" && list[1]?.volume == 3 && list[1]?.isMuted == true)
    #expect(try list.hear("Client.OnConnect", #"{"client":\#(Told.client("a")),"id":"a"}"#) == .taken)
    #expect(list[1]?.isConnected == true && list[1]?.stream == "s")
    #expect(
      try list.hear("Client.OnVolumeChanged", #"{"id":"b","volume":{"muted":true,"percent":9}}"#) == .taken)
    #expect(list[2]?.volume == 9 && list[2]?.isMuted == true)
    #expect(try list.hear("Client.OnNameChanged", #"{"id":"b","name":""}"#) == .taken)
    #expect(list[2]?.name == "pi")
    #expect(try list.hear("Group.OnMute", #"{"id":"g","mute":true}"#) == .taken)
    #expect(list[1]?.isMuted == true && list[1]?.isMutedItself == false)
    #expect(try list.hear("Group.OnStreamChanged", #"{"id":"g","stream_id":"t"}"#) == .taken)
    #expect(list[1]?.stream == "t" && list[1]?.isMuted == true)
    let update = Told.server([Told.group("g", [Told.client("b")])])
    #expect(try list.hear("Server.OnUpdate", #"{"server":\#(update)}"#) == .taken)
    #expect(list.list.rooms.map(\.number) == [2])
  }

  @Test(
    "An invalid message is refused",
    arguments: [
      ("Client.OnConnect", #"{"client":{"id":"new"},"id":"new"}"#, RoomList.Effect.outdated),
      ("Client.OnConnect", "{}", .outdated), ("Client.OnDisconnect", #"{"id":"new"}"#, .none),
      ("Client.OnVolumeChanged", #"{"id":"new","volume":{"muted":true,"percent":9}}"#, .none),
      ("Group.OnMute", #"{"id":"x","mute":true}"#, .none), ("Group.OnMute", #"{"id":"g"}"#, .outdated),
      ("Group.OnStreamChanged", #"{"id":"g","stream_id":5}"#, .outdated), ("Server.OnUpdate", "{}", .outdated),
      ("Stream.OnUpdate", #"{"id":"x"}"#, .none), ("Stream.OnProperties", #"{"id":"x","properties":{}}"#, .none),
      ("Client.OnLatencyChanged", #"{"id":"a","latency":10}"#, .none), ("", "[]", .none),
      ("Server.OnUpdate", "5", .outdated),
    ])
  func refused(_ method: String, _ parameters: String, _ effect: RoomList.Effect) throws {
    let list = try ToldList(Self.groups)
    let old = list.list
    #expect(try list.hear(method, parameters) == effect && list.list == old)
  }

  // MARK: Streams

  @Test("A stream's script gives title, artists, station and playback")
  func streams() throws {
    let list = try ToldList(
      Self.groups,
      streams: [
        Told.stream(
          "s", status: "playing",
          properties: #"{"playbackStatus":"playing","metadata":{"title":"T\u0007","artist":["A","B"],"album":"C"}}"#),
        Told.stream("t"),
      ])
    func stream() -> RoomStream? { list[1].flatMap { list.list.stream(of: $0) } }
    #expect(stream()?.title == "T" && stream()?.artist == "A, B" && stream()?.station == "C")
    #expect(stream()?.isPlaying == true && stream()?.playback == .playing)
    let properties =
      #"{"id":"s","properties":{"playbackStatus":"paused","metadata":{"artist":"X","name":"N","album":"C"}}}"#
    #expect(try list.hear("Stream.OnProperties", properties) == .taken)
    #expect(stream()?.title == "" && stream()?.artist == "X" && stream()?.station == "N")
    #expect(stream()?.isPlaying == true && stream()?.playback == .paused)
    #expect(try list.hear("Stream.OnUpdate", #"{"id":"s","stream":\#(Told.stream("s"))}"#) == .taken)
    #expect(stream()?.isPlaying == false && stream()?.playback == nil && stream()?.station == "")
    #expect(stream()?.name == "s")
    #expect(try list.hear("Stream.OnUpdate", #"{"id":"new","stream":\#(Told.stream("new"))}"#) == .outdated)
  }

  @Test("A stream's id is shown without line breaks and controls")
  func hostileId() throws {
    let id = #"x\nWATCHDOG=trigger\u001b"#
    let list = try ToldList([Told.group("g", [Told.client("a")], stream: id)], streams: [Told.stream(id)])
    let name = try #require(list[1].flatMap { list.list.stream(of: $0) }).name
    #expect(name.contains("WATCHDOG=trigger") && name.utf8.allSatisfy { $0 >= 0x20 })
  }

  @Test("An order is shown before its confirmation")
  func orders() throws {
    let list = try ToldList(Self.groups)
    let ordered = list.list.with(RoomOrder("b", volume: 300, isMuted: true)).with(RoomOrder("b", volume: 12))
      .with(RoomOrder("new", volume: 1))
    #expect(ordered[2]?.volume == 12 && ordered[2]?.isMuted == true && ordered[1] == list[1])
    #expect(list.list.disconnected.rooms.allSatisfy { !$0.isConnected })
  }
}
