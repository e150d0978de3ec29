import Foundation
import TestSupport
import Testing

@testable import Settings

/// `owner.toml`: settings changed at run time override the owner's files, which the box never writes (D16).
@Suite struct OwnerTests {
  private static let base = ["A", "B", "C"].map(station)

  private static func station(_ name: String) -> StationSettings {
    StationSettings(name: name, url: "http://radio.example/\(name)")
  }

  private static func louder(_ name: String) -> StationSettings {
    var station = station(name)
    station.gain = 3
    return station
  }

  private static let cases: [(changes: [OwnerChange], names: [String], own: [String])] = [
    ([], ["A", "B", "C"], []),
    ([.add(station("D"), at: nil)], ["A", "B", "C", "D"], ["D"]),
    ([.add(station("D"), at: 2)], ["A", "D", "B", "C"], ["D"]),
    ([.remove("B")], ["A", "C"], []),
    ([.remove("B"), .add(louder("B"), at: nil)], ["A", "C", "B"], ["B"]),
    ([.remove("B"), .add(station("B"), at: 1), .remove("B")], ["A", "C"], []),
    ([.move("C", to: 1)], ["C", "A", "B"], []),
    ([.move("C", to: 1), .move("C", to: 3)], ["A", "B", "C"], []),
    ([.edit("B", louder("B"))], ["A", "B", "C"], ["B"]),
    ([.edit("B", louder("B")), .edit("B", station("B"))], ["A", "B", "C"], []),
    ([.edit("B", station("X"))], ["A", "X", "C"], ["X"]),
    ([.edit("B", station("X")), .remove("X")], ["A", "C"], []),
    ([.add(station("D"), at: 1), .edit("D", station("E")), .move("A", to: 1)], ["A", "E", "B", "C"], ["E"]),
    ([.remove("A"), .remove("B"), .remove("C")], [], []),
  ]

  @Test(
    "Presets are the file's with the changes, also after writing and reading",
    arguments: cases)
  func changes(_ changes: [OwnerChange], _ names: [String], _ own: [String]) throws {
    var settings = OwnerSettings()
    for change in changes { try settings.apply(change, over: Self.base) }
    for settings in [settings, try OwnerSettings(Array(settings.text.utf8), file: "owner.toml")] {
      let presets = settings.presets(over: Self.base)
      #expect(presets.map(\.station.name) == names && presets.filter(\.isOwn).map(\.station.name) == own)
    }
    #expect(try OwnerSettings(Array(settings.text.utf8), file: "owner.toml") == settings)
  }

  @Test("A station added to the file later follows its predecessor there")
  func later() throws {
    var settings = OwnerSettings()
    try settings.apply(.move("C", to: 1), over: Self.base)
    let more = [Self.station("N"), Self.base[0], Self.station("M"), Self.base[1], Self.base[2]]
    #expect(settings.presets(over: more).map(\.station.name) == ["N", "C", "A", "M", "B"])
    #expect(settings.presets(over: [Self.base[1]]).map(\.station.name) == ["B"])
  }

  @Test(
    "An impossible change is refused in the words of a file's errors",
    arguments: [
      (OwnerChange.add(station("B"), at: nil), "there is already a station \"B\"; choose another name"),
      (.add(StationSettings(name: "D", url: "ftp://x"), at: nil), "url must be an http or https address"),
      (.add(StationSettings(name: "", url: "http://x/"), at: nil), "name must be 1 to 100 characters"),
      (.add(station("D"), at: 9), "there is no place 9 for a station; its places are 1 to 4"),
      (.remove("X"), "there is no station \"X\""), (.move("A", to: 0), "there is no place 0"),
      (.edit("A", station("B")), "there is already a station \"B\""), (.edit("X", station("Y")), "there is no station"),
    ])
  func refusals(_ change: OwnerChange, _ words: String) {
    var settings = OwnerSettings()
    do throws(SettingsError) {
      try settings.apply(change, over: Self.base)
      Issue.record("\(change) was taken")
    } catch {
      #expect(error.problem.contains(words), "\(error.problem)")
    }
    #expect(settings == OwnerSettings())
  }

  @Test(
    "A station's key is changed under its file name",
    arguments: [
      ("gain", ["-3.5"], "gain = -3.5"), ("user", ["me:word"], "user = \"me:word\""), ("live", ["true"], "live = true"),
      ("headers", ["A: 1", "B: 2"], "headers = [\"A: 1\", \"B: 2\"]"), ("name", ["It\"s"], "name = \"It\\\"s\""),
    ])
  func keys(_ key: String, _ values: [String], _ line: String) throws {
    let changed = try Self.station("A").changed(key, to: values)
    #expect(changed.toml.contains(line + "\n"))
    if key != "name" { #expect(try changed.changed(key, to: [""]) == Self.station("A")) }
  }

  @Test(
    "An unknown key or invalid value is refused in the same words",
    arguments: [
      ("gian", ["3"], "did you mean gain?"), ("gain", ["40"], "gain must lie between -60 and 12 dB"),
      ("gain", ["loud"], "gain must lie"), ("url", [""], "url is missing"),
      ("live", ["yes"], "true or false"),
      ("a\nb", ["x"], "there is no key"), ("name", ["a", "b"], "name must be"),
    ])
  func badKeys(_ key: String, _ values: [String], _ words: String) {
    do throws(SettingsError) {
      _ = try Self.station("A").changed(key, to: values)
      Issue.record("\(key) was taken")
    } catch {
      #expect(error.problem.contains(words), "\(error.problem)")
    }
  }

  // MARK: Settings

  @Test("Every changeable key is in bakelite.toml, and its value survives writing and reading")
  func changeable() throws {
    let known = Configuration.rules.map { $0.key.replacing("[", with: "").replacing("] ", with: ".") }
    #expect(Set(Configuration.changeableKeys).isSubset(of: known) && Configuration.changeableKeys.count > 15)
    var settings = OwnerSettings()
    for key in Configuration.changeableKeys {
      let words = try #require(Configuration().words(of: key))
      try settings.apply(.set(key, Configuration.literal(words, for: key)), over: [])
    }
    #expect(try Configuration().changed(by: settings) == Configuration())
    #expect(try OwnerSettings(Array(settings.text.utf8), file: "owner.toml") == settings)
  }

  @Test("A run-time setting wins until reset")
  func wins() throws {
    var (file, settings) = (Configuration(), OwnerSettings())
    (file.panel.scrollMilliseconds, file.timezone) = (500, "Europe/Paris")
    for (key, value) in [
      ("panel.scroll_ms", "200"), ("timezone", ""), ("buffer.wait_live", "2.5"), ("audio.mono", "true"),
      ("decoding.mp3_decoder", "mpg123"),
    ] {
      try settings.apply(.set(key, Configuration.literal(value, for: key)), over: [])
    }
    let changed = try file.changed(by: settings)
    #expect((changed.panel.scrollMilliseconds, changed.timezone, changed.buffer.waitLive) == (200, "", 2.5))
    #expect(changed.decoding.mp3 == .mpg123 && !Configuration.appliesAtOnce("decoding.mp3_decoder"))
    #expect(changed.audio.isMono && changed.words(of: "buffer.wait_live") == "2.5")
    try settings.apply(.set("panel.scroll_ms", nil), over: [])
    #expect(try file.changed(by: settings).panel.scrollMilliseconds == 500)
  }

  @Test(
    "An invalid value is refused in the words of bakelite.toml",
    arguments: [
      ("panel.scroll_ms", "5", "[panel] scroll_ms must be a whole number between 100 and 5000 ms"),
      ("panel.scroll_ms", "fast", "[panel] scroll_ms must be a whole number"),
      ("panel.scroll_ms", "200.5", "[panel] scroll_ms must be a whole number"),
      ("panel.idle_clock", "1", "[panel] idle_clock must be true or false"),
      ("audio.volume", "loud", "[audio] volume must be auto, hardware or software"),
      ("language", "Deutsch", "language must be en or de"),
      ("audio.buffer_ms", "60", "must be two periods"), ("timezone", "Nowhere", "a zone of the tz database"),
      ("timezone", "\"\n[control]\nlisten = \"0.0.0.0:1", "a zone of the tz database"),
    ])
  func badValues(_ key: String, _ value: String, _ words: String) throws {
    var settings = OwnerSettings()
    try settings.apply(.set(key, Configuration.literal(value, for: key)), over: [])
    do throws(SettingsErrors) {
      _ = try Configuration().changed(by: settings)
      Issue.record("\(key) was taken")
    } catch {
      #expect(error.all[0].problem.contains(words), "\(error)")
    }
  }

  @Test("Access rights and paths can be set only in bakelite.toml")
  func guarded() {
    for key in [
      "control.listen", "control.password_file", "state.path", "recording.path", "audio.device", "board", "web.listen",
    ] {
      #expect(!Configuration.changeableKeys.contains(key))
      #expect(Configuration.cannotChange(key).contains("stands in bakelite.toml alone"), "\(key)")
    }
    #expect(Configuration.cannotChange("panel.scroll").contains("did you mean panel.scroll_ms?"))
    for text in ["[control]\nlisten = \"0.0.0.0:1\"\n", "board = \"simulated\"\n"] {
      #expect(throws: SettingsErrors.self) { try OwnerSettings(Array(text.utf8), file: "owner.toml") }
    }
  }

  // MARK: The file

  @Test("The current file is changed, created if missing, and left alone if unreadable")
  func file() throws {
    let folder = TemporaryFolder()
    let file = OwnerFile(folder: folder.path)
    #expect(try file.load() == OwnerSettings() && file.setAside() == nil)
    try file.edit(.add(Self.station("D"), at: nil), over: Self.base)
    try file.edit(.set("panel.scroll_ms", "200"), over: Self.base)
    try file.edit(.remove("A"), over: Self.base)
    #expect(try file.load().presets(over: Self.base).map(\.station.name) == ["B", "C", "D"])
    #expect(try file.load().values == ["panel.scroll_ms": "200"])
    for text in ["[[station]]\nname = \"Hal", "order = 3\n", "[[station]]\nname = \"A\"\n", "nonsense = 1\n"] {
      folder.write(Array(text.utf8), to: "owner.toml")
      #expect(throws: SettingsErrors.self) { try file.edit(.remove("A"), over: Self.base) }
      #expect(folder.bytes(of: "owner.toml") == Array(text.utf8))
      #expect(file.setAside()?.description.contains("owner.toml.broken") == true && !file.isThere)
    }
  }

  @Test("No change makes an unreadable file")
  func most() throws {
    let base = (0..<StationList.maxCount).map { Self.station("\($0)") }
    var settings = OwnerSettings()
    settings.stations = [Self.station("own")]
    let before = settings
    for change in [OwnerChange.move("own", to: 1), .edit("own", Self.station("other"))] {
      #expect(throws: SettingsError.self) { try settings.apply(change, over: base) }
    }
    #expect(settings == before)
    try settings.apply(.remove("7"), over: base)
    try settings.apply(.move("own", to: 1), over: base)
    #expect(try OwnerSettings(Array(settings.text.utf8), file: "owner.toml") == settings)
  }

  @Test("The readable parts of a damaged file are stored, and each such file has its own name")
  func salvages() throws {
    let folder = TemporaryFolder()
    let file = OwnerFile(folder: folder.path)
    let good = "[panel]\nscroll_ms = 200\n[[station]]\nname = \"A\"\nurl = \"http://a.example/\"\n"
    let texts = [good + "[[station]]\nname = \"B\"\n", good + "[[station]]\nname = \"Half"]
    for (number, text) in texts.enumerated() {
      folder.write(Array(text.utf8), to: "owner.toml")
      let saved = file.salvage()
      #expect(saved.stations.map(\.name) == ["A"] && saved.values == (number == 0 ? ["panel.scroll_ms": "200"] : [:]))
      let told = try file.replace(with: saved)
      #expect(told?.description.contains("what the radio could read") == true)
      #expect(try file.load() == saved)
    }
    #expect(folder.bytes(of: "owner.toml.broken") == Array(texts[0].utf8))
    #expect(folder.bytes(of: "owner.toml.broken-2") == Array(texts[1].utf8))
  }

  @Test("A change that does not fit is dropped, and an unwritable one is thrown, so that it waits")
  func keeps() throws {
    let folder = TemporaryFolder()
    let file = OwnerFile(folder: folder.path)
    let whole = OwnerSettings()
    for (change, words) in [
      (OwnerChange.remove("X"), "there is no station \"X\""), (.move("A", to: 9), "there is no place 9"),
      (.add(Self.station("B"), at: nil), "there is already a station \"B\""),
    ] {
      let told = try file.merge(change, over: Self.base, else: whole)
      #expect(told?.description.contains(words) == true && !file.isThere)
    }
    #expect(try file.merge(.remove("A"), over: Self.base, else: whole) == nil)
    #expect(try file.load().presets(over: Self.base).map(\.station.name) == ["B", "C"])
    // A folder with the temporary name prevents writing.
    try FileManager.default.createDirectory(atPath: folder.path + "/.owner.toml.new", withIntermediateDirectories: true)
    #expect(throws: SettingsError.self) { try file.merge(.remove("B"), over: Self.base, else: whole) }
    folder.write(Array("order = 3\n".utf8), to: "owner.toml")
    #expect(throws: SettingsError.self) { try file.merge(.remove("B"), over: Self.base, else: whole) }
    try FileManager.default.removeItem(atPath: folder.path + "/.owner.toml.new")
    folder.write(Array("order = 3\n".utf8), to: "owner.toml")
    let told = try file.merge(.remove("B"), over: Self.base, else: whole)
    #expect(try told?.description.contains("owner.toml.broken") == true && file.load() == whole)
  }
}
