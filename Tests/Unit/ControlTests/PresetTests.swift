import Http
import Network
import RadioEngine
import Testing

@testable import Control

/// Presets belong to the owner: clients read and load them as stored playlists. The queue belongs to the clients.
@Suite struct PresetTests {
  /// A player with a queue filled from presets.
  private func bench(_ names: String...) throws -> Bench {
    let bench = try Bench()
    bench.player.setPresets(PresetList(names.map(Self.preset), changed: 1_763_722_222))
    bench.player.fill(with: bench.player.presets.presets)
    bench.player.settle()
    return bench
  }

  private static func preset(_ name: String) -> Preset {
    Preset(name: name, request: StationRequest(url: "http://radio.example/\(name.lowercased())"))
  }

  private func presets(_ client: Client) -> [String] { client.values("Name", of: "listplaylistinfo Presets") }

  @Test(
    "Clients' queue changes leave the presets alone",
    arguments: [
      "clear", "delete 0:", "delete 0\ndelete 0\ndelete 0", "deleteid 1\ndeleteid 3", "delete 1:\nmove 0 0",
      "shuffle", "move 0 2", "addtagid 1 Name Renamed", "consume 1", "clear\nadd http://radio.example/other",
    ])
  func clientsLeavePresetsAlone(_ commands: String) throws {
    let bench = try self.bench("One", "Two", "Three")
    let client = bench.client()
    #expect(!client.ask(commands).contains("ACK"))
    #expect(presets(client) == ["One", "Two", "Three"])
    #expect(client.ask("clear\nload Presets") == "OK\nOK\n")
    #expect(client.values("Name", of: "playlistinfo") == ["One", "Two", "Three"])
  }

  @Test("The presets are a stored playlist, and each preset is one too, for clients with sources")
  func storedPlaylists() throws {
    let bench = try self.bench("One", "Two words")
    let client = bench.client()
    #expect(client.values("playlist", of: "listplaylists") == ["Presets", "One", "Two words"])
    #expect(client.value("Last-Modified", of: "listplaylists") == "2025-11-21T10:50:22Z")
    #expect(client.ask("listplaylist One") == "file: http://radio.example/one\nOK\n")
    #expect(
      client.ask("listplaylistinfo \"Two words\"") == "file: http://radio.example/two words\nName: Two words\nOK\n")
    #expect(Set(["listplaylists", "listplaylist", "listplaylistinfo", "load"]).isSubset(of: told(client)))
    #expect(client.ask("listplaylist two") == "ACK [50@0] {listplaylist} No such playlist\n")
    for command in ["save x", "rm One", "playlistclear Presets", "playlistadd Presets http://radio.example/"] {
      #expect(client.ask(command).hasPrefix("ACK [5@0]"), "\(command)")
    }
    #expect(client.values("playlist", of: "listplaylists").count == 3)
    for command in ["lsinfo", "lsinfo \"\"", "lsinfo /"] { #expect(client.ask(command) == client.ask("listplaylists")) }
    #expect(client.ask("lsinfo One").hasPrefix("ACK [50@0]"))
    #expect(try Bench().client().ask("listplaylists\nlsinfo") == "OK\nACK [50@0] {lsinfo} No database\n")
  }

  private func told(_ client: Client) -> Set<String> { Set(client.values("command", of: "commands")) }

  @Test(
    "A stored playlist is loaded whole or in part, at the end or at a position",
    arguments: [
      ("load Presets", ["x", "One", "Two", "Three"]), ("load Two", ["x", "Two"]),
      ("load Presets 1:", ["x", "Two", "Three"]),
      ("load Presets 0:1", ["x", "One"]), ("load Presets 0:2 0", ["One", "Two", "x"]), ("load Presets 3:9", ["x"]),
      ("load http://radio.example/y", ["x", "y"]), ("load http://radio.example/two", ["x", "Two"]),
    ])
  func load(_ command: String, _ expected: [String]) throws {
    let bench = try self.bench("One", "Two", "Three")
    let client = bench.client()
    #expect(client.ask("clear\nadd http://radio.example/x\n\(command)") == "OK\nOK\nOK\n")
    let last = bench.player.queue.stations.map {
      $0.name.isEmpty ? String($0.request.url.unredacted.suffix(1)) : $0.name
    }
    #expect(last == expected)
  }

  @Test("A missing playlist or part is not loaded")
  func refusals() throws {
    let client = try self.bench("One").client()
    #expect(client.ask("load Two") == "ACK [50@0] {load} No such playlist\n")
    #expect(client.ask("load Presets 2:3") == "ACK [2@0] {load} Bad song index\n")
    #expect(client.ask("load Presets 0:1 9").hasPrefix("ACK [2@0] {load}"))
    #expect(client.ask("delete -1").hasPrefix("ACK [2@0] {delete} Integer or range expected: -1"))
    #expect(client.values("Name", of: "playlistinfo -1") == ["One"], "an old way to ask for all")
  }

  @Test("Numbers and names select presets, which are added to the queue if missing")
  func numbers() throws {
    let bench = try self.bench("One", "Two", "Three")
    let client = bench.client()
    #expect(client.ask("clear\nadd http://radio.example/x\nradio_select 2") == "OK\nOK\nOK\n")
    #expect(bench.player.current?.name == "Two" && bench.player.presetPlace == 1 && bench.names == ["x", "two"])
    #expect(client.ask("radio_select three") == "OK\n" && bench.player.presetPlace == 2)
    #expect(client.ask("radio_select 2") == "OK\n" && bench.names == ["x", "two", "three"], "it is there already")
    #expect(client.ask("radio_select 4").hasPrefix("ACK [50@0]"))
    #expect(client.ask("radio_select http://radio.example/x") == "OK\n" && bench.player.presetPlace == nil)
    #expect(!bench.player.selectPreset(3) && !bench.player.selectPreset(-1))
  }

  @Test("A preset plays in a full queue too, and replaces its last station", arguments: [0, 9_999])
  func fullQueue(_ place: Int) throws {
    let bench = try Bench()
    bench.player.setPresets(PresetList([Self.preset("One")]))
    for number in 0..<StationQueue.maxStations {
      bench.player.add(StationRequest(url: "http://radio.example/x\(number)"))
    }
    let chosen = try #require(bench.player.queue[place]?.id)
    bench.player.select(id: chosen)
    #expect(bench.player.selectPreset(0) && bench.player.presetPlace == 0)
    #expect(bench.player.queue.count == StationQueue.maxStations && bench.player.queue[id: chosen] != nil)
    #expect(bench.names.last == "one" && bench.player.queue[0]?.id == 1)
  }

  @Test("A preset added by address uses the preset's settings")
  func addressOfAPreset() throws {
    let bench = try Bench()
    var secret = Self.preset("One")
    secret.request.credentials = Credentials(name: "me", password: "word")
    let client = bench.client()
    #expect(client.ask("add http://radio.example/one") == "OK\n")
    bench.player.setPresets(PresetList([secret]))
    #expect(bench.player.selectPreset(0) && bench.player.queue.count == 1)
    #expect(bench.player.current?.name == "One" && bench.player.current?.request.credentials?.password == "word")
    #expect(client.ask("clear\nadd http://radio.example/one") == "OK\nOK\n")
    #expect(bench.player.queue[0]?.name == "One" && bench.player.queue[0]?.request.credentials?.name == "me")
  }

  @Test("A preset with a secret address appears as station:NAME, and is accepted as such")
  func secretPresets() throws {
    let bench = try Bench()
    let client = bench.client()
    func preset(_ url: String) -> Preset {
      var request = StationRequest(url: url)
      request.headers = ["X-Key: k"]
      return Preset(name: "One", request: request)
    }
    #expect(client.ask("add http://anna:word@radio.example/one?key=1\naddtagid 1 Name One") == "OK\nOK\n")
    #expect(client.value("file", of: "playlistinfo") == "station:http://radio.example/one")
    bench.player.setPresets(PresetList([preset("http://radio.example/one?key=2")]))
    for question in ["listplaylist Presets", "listplaylistinfo One"] {
      #expect(client.values("file", of: question) == ["station:One"])
    }
    #expect(client.ask("add station:One\naddid station:One 0\nload station:One").hasSuffix("Id: 3\nOK\nOK\n"))
    #expect(bench.player.queue.count == 4 && bench.player.queue[3]?.request.headers == ["X-Key: k"])
    #expect(client.ask("clear\nload Presets") == "OK\nOK\n")
    #expect(client.value("file", of: "playlistinfo") == "station:One")
    bench.player.setPresets(PresetList([preset("http://radio.example/one?key=3")]))
    #expect(client.value("file", of: "playlistinfo") == "station:One (2)", "the name is the new preset's")
    #expect(client.value("file", of: "listplaylist One") == "station:One")
    #expect(client.ask("radio_select station:One") == "OK\n")
    #expect(bench.player.current?.request.url.unredacted == "http://radio.example/one?key=3")
    #expect(client.ask("add http://radio.example/one?key=3") == "OK\n" && bench.player.queue[2]?.name == "One")
    #expect(client.ask("add station:Two").hasPrefix("ACK [50@0] {add} No database"))
  }

  @Test("Two presets with one address are two stations, and new presets leave a changed queue alone")
  func twins() throws {
    let bench = try Bench()
    let (one, two) = (Self.preset("One"), Preset(name: "Two", request: Self.preset("One").request))
    bench.player.setPresets(PresetList([one, two]))
    #expect(bench.player.selectPreset(0) && bench.player.selectPreset(1) && bench.player.selectPreset(0))
    #expect(bench.player.queue.stations.map(\.name) == ["One", "Two"] && bench.player.presetPlace == 0)
    bench.player.settle()
    let client = bench.client()
    #expect(client.ask("idle stored_playlist") == "")
    bench.player.setPresets(PresetList([two]))
    bench.player.settle()
    #expect(client.heard == "changed: stored_playlist\nOK\n")
    #expect(bench.player.queue.stations.map(\.name) == ["One", "Two"])
  }

  @Test("The playing station stays in a refilled queue, at its new position")
  func fill() throws {
    let bench = try self.bench("One", "Two")
    bench.player.selectPreset(1)
    let id = bench.player.currentID
    bench.player.fill(with: ["Nought", "Two", "One"].map(Self.preset))
    #expect(bench.player.queue.stations.map(\.name) == ["Nought", "Two", "One"] && bench.player.queue[1]?.id == id)
    bench.player.fill(with: [])
    #expect(bench.player.queue.stations.map(\.name) == ["Two"] && bench.player.currentID == id)
  }
}
