import Control
import Http
import Network
import Settings
import TestSupport
import Testing
import Units

@testable import Box
@testable import Control

/// Changes of the owner's presets by clients and the menu (D16).
@Suite struct PresetControllerTests {
  private func refusal(_ work: () throws -> Void) -> String? {
    do { try work() } catch { return (error as? ControlRefusal)?.message }
    return nil
  }

  @Test("Presets are named in any case, or by number")
  func names() throws {
    let presets = PresetController(["One", "Two", "Three"])
    try presets.remove("two")
    #expect(presets.names == ["One", "Three"] && presets.name(at: 1) == "Three" && presets.name(at: 2) == nil)
    try presets.move("2", to: 1)
    #expect(presets.names == ["Three", "One"] && presets.count == 2)
    try presets.edit("1", "name", to: ["Drei"])
    #expect(presets.names == ["Drei", "One"])
  }

  @Test("A missing or ambiguous preset is refused with a sentence, and nothing is written")
  func refusals() {
    let owner = FakeOwner()
    let presets = PresetController(["One", "1", "Three"], owner)
    #expect(refusal { try presets.remove("Four") } == "There is no preset Four; they are 1 to 3")
    #expect(refusal { try presets.remove("4") } == "There is no preset 4; they are 1 to 3")
    #expect(refusal { try presets.remove("1") } == "preset 2 is called 1, so that number is not clear; say 2")
    #expect(refusal { try presets.move("One", to: 9) }?.contains("there is no place 9") == true)
    #expect(refusal { try presets.edit("One", "colour", to: ["red"]) } != nil)
    #expect(refusal { try presets.edit("One", "name", to: ["Three"]) }?.contains("already a station") == true)
    #expect(refusal { try presets.add("Three", "http://x.example/", hidden: nil, at: nil) } != nil)
    #expect(refusal { try presets.add("Four", "gopher://x.example/", hidden: nil, at: nil) } != nil)
    #expect(owner.changeCount == 0 && presets.names == ["One", "1", "Three"])
  }

  @Test("A client opens no local file", arguments: ["file:///etc/passwd", "FILE:///etc/passwd"])
  func files(_ address: String) throws {
    let presets = PresetController(["One"])
    let sentence = "no file of this machine is opened for a client; write it into stations.toml"
    #expect(refusal { try presets.add("F", address, hidden: nil, at: nil) } == sentence)
    #expect(refusal { try presets.edit("One", "user", to: ["@/etc/shadow"]) } == sentence)
    #expect(refusal { try presets.edit("One", "fallback", to: ["/home/me/private"]) } == sentence)
    #expect(presets.names == ["One"])
  }

  @Test(
    "Credentials of one host go to no other", arguments: [("http://one.example/b", true), ("http://x/", false)])
  func secrets(_ address: String, _ isKept: Bool) throws {
    let presets = PresetController(["One"])
    try presets.edit("One", "user", to: ["anna:word"])
    try presets.edit("One", "url", to: [address])
    #expect(presets.catalog.entries.first?.settings.user == (isKept ? "anna:word" : nil))
  }

  @Test("The old address of a moved preset becomes an alternative with its file of credentials")
  func moved() throws {
    let (owner, folder, buffer) = (FakeOwner(), TemporaryFolder(), Configuration().buffer)
    let user = "@" + folder.write(Array("anna:word".utf8), to: "user")
    var base = [StationSettings(name: "One", url: "http://one.example/")]
    base[0].user = user
    let presets = PresetController(PresetCatalog(base: base, owner.settings, buffer), owner, buffer)
    #expect(
      try presets.relocate("http://one.example/", of: "One", to: "http://new.example/", directoryID: nil) == "One")
    #expect(presets.catalog.entries[0].settings.alternatives.map(\.user) == [user])
  }

  @Test("A hidden station is added with all its settings, even after its preset is gone")
  func hidden() throws {
    let presets = PresetController(["One"])
    try presets.edit("One", "user", to: ["anna:word"])
    let hidden = Preset(name: "One", request: StationRequest(url: "http://one.example/"))
    try presets.add("Again", "station:One", hidden: hidden, at: 1)
    #expect(presets.names == ["Again", "One"] && presets.catalog.entries[0].settings.user == "anna:word")
  }

  @Test("The current station is stored once, under a free name")
  func keeps() throws {
    let presets = PresetController(["One"])
    #expect(refusal { try presets.save(nil) } == "Not playing")
    let url: StationAddress = "http://two.example/"
    #expect(refusal { try presets.save(.init(url: url, name: "x", place: 0)) } == "That is preset 1 already")
    try presets.save(.init(url: url, name: "One", place: nil))
    try presets.save(.init(url: "http://three.example/", name: "", place: nil))
    #expect(presets.names == ["One", "One (2)", "three.example"])
  }

  @Test("The menu moves and removes by position, and ignores invalid ones")
  func places() throws {
    let presets = PresetController(["One", "Two"])
    #expect(try presets.move(at: 5, to: 0) == nil && presets.remove(at: -1) == nil)
    #expect(try presets.move(at: 1, to: 0) == "Two" && presets.names == ["Two", "One"])
    #expect(try presets.remove(at: 0) == "Two" && presets.names == ["One"])
  }

  @Test("The menu reports its changes")
  func menu() throws {
    let presets = PresetController(["One", "Two"])
    let keep = { () throws(ControlRefusal) in try presets.save(.init(url: "http://x/", name: "New", place: nil)) }
    #expect(try PresetMenu.apply(.keepPreset, presets, keep: keep) == .preset(number: 3, name: "New"))
    #expect(try PresetMenu.apply(.movePreset(from: 2, to: 0), presets, keep: keep) == .preset(number: 1, name: "New"))
    #expect(try PresetMenu.apply(.removePreset(0), presets, keep: keep) == .presetRemoved(name: "New"))
    #expect(try PresetMenu.apply(.removePreset(7), presets, keep: keep) == nil)
    #expect(try PresetMenu.apply(.stop, presets, keep: keep) == nil && presets.names == ["One", "Two"])
    let refused = { () throws(ControlRefusal) in throw ControlRefusal.notPlaying }
    #expect(refusal { _ = try PresetMenu.apply(.keepPreset, presets, keep: refused) } == "Not playing")
  }

  @Test("An untunable preset has no number here, but its place in the file")
  func filed() throws {
    let owner = FakeOwner()
    var base = ["One", "Two", "Three"].map { StationSettings(name: $0, url: "http://\($0)/") }
    base[0].user = "@/nowhere"
    let buffer = Configuration().buffer
    let presets = PresetController(PresetCatalog(base: base, owner.settings, buffer), owner, buffer)
    #expect(presets.names == ["Two", "Three"])
    try presets.move("Three", to: 1)
    #expect(presets.names == ["Three", "Two"] && owner.settings.order == ["One", "Three", "Two"])
  }

  @Test("An incomplete or empty file changes nothing; a complete one does")
  func rereads() {
    let presets = PresetController(["One", "Two"])
    let buffer = Configuration().buffer
    func read(_ names: [String], isWhole: Bool = true) -> PresetCatalog {
      let base = names.map { StationSettings(name: $0, url: "http://\($0)/") }
      return PresetCatalog(base: base, isWhole: isWhole, OwnerSettings(), buffer)
    }
    #expect(presets.adopt(read([]), from: "s.toml", buffer)?.hasPrefix("s.toml contains no usable station") == true)
    #expect(presets.adopt(read([], isWhole: false), from: "s.toml", buffer) != nil && presets.names == ["One", "Two"])
    #expect(presets.adopt(read(["Three"]), from: "s.toml", buffer) == nil && presets.names == ["Three"])
    var other = buffer
    other.dataTimeout = 3
    presets.adopt(other)
    #expect(presets.catalog.entries[0].request.dataTimeout.seconds == 3)
  }
}
