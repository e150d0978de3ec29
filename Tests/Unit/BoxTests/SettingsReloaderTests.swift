import Control
import Foundation
import Settings
import Testing

@testable import Box

/// Records the changes reported to it.
private final class Client: SettingsClient {
  var told: [String] = []
  func useSettings() { told.append("settings") }
  func usePresets() { told.append("presets") }
}

/// Changes of settings and stations at run time (D16).
@Suite final class SettingsReloaderTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "bk-\(UUID().uuidString.prefix(8))")
  private let owner = FakeOwner()
  private let client = Client()
  private let settings: SettingsController
  private let presets: PresetController
  private let reloader: SettingsReloader

  init() throws {
    settings = SettingsController(Configuration(), owner)
    presets = PresetController(["One", "Two"], owner)
    var launch = LaunchOptions()
    launch.configPath = folder.appending(path: "bakelite.toml").path
    reloader = SettingsReloader(launch, settings, presets, owner, for: client)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(settings: String, stations: String) throws {
    try settings.write(to: folder.appending(path: "bakelite.toml"), atomically: true, encoding: .utf8)
    try stations.write(to: folder.appending(path: "stations.toml"), atomically: true, encoding: .utf8)
  }

  private static let stations = "[[station]]\nname = \"Three\"\nurl = \"http://three.example/\"\n"

  @Test("A changed setting applies, a buffer setting to the presets too")
  func sets() throws {
    #expect(try reloader.set("panel.scroll_ms", as: "200"))
    #expect(client.told == ["settings"])
    client.told = []
    reloader.set("buffer.wait_live", "20")
    #expect(client.told == ["settings", "presets"])
    #expect(settings.configuration.buffer.waitLive == 20 && settings.configuration.panel.scrollMilliseconds == 200)
  }

  @Test("An invalid setting is refused without a report")
  func refuses() {
    #expect(throws: ControlRefusal.self) { try reloader.set("panel.scroll_ms", as: "fast") }
    reloader.set("panel.scroll_ms", "\"fast\"")
    #expect(client.told.isEmpty && owner.changeCount == 0)
  }

  @Test("Readable files apply, the settings before the presets")
  func reloads() throws {
    try write(settings: "[panel]\nscroll_ms = 210\n", stations: Self.stations)
    #expect(reloader.reload() == nil && client.told == ["settings", "presets"])
    #expect(settings.configuration.panel.scrollMilliseconds == 210 && presets.names == ["Three"])
  }

  @Test(
    "An unreadable file changes nothing, and the others apply",
    arguments: [
      ("[panel\n", stations, 350, ["Three"], "bakelite.toml"),
      ("[panel]\nscroll_ms = 210\n", "", 210, ["One", "Two"], "stations.toml"),
      ("[panel\n", "[[station\n", 350, ["One", "Two"], "stations.toml"),
    ])
  func keeps(_ ofFile: String, _ stations: String, _ scroll: Int, _ names: [String], _ place: String) throws {
    try write(settings: ofFile, stations: stations)
    let fault = reloader.reload()
    #expect(fault?.contains(place) == true, "\(fault ?? "nothing")")
    #expect(settings.configuration.panel.scrollMilliseconds == scroll && presets.names == names)
    #expect(client.told == ["settings", "presets"])
  }
}
