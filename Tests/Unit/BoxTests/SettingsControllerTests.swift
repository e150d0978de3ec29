import Control
import Settings
import Testing

@testable import Box
@testable import Control

/// Changes of settings at run time (D16).
@Suite struct SettingsControllerTests {
  private let owner = FakeOwner()
  private let settings: SettingsController

  init() { settings = SettingsController(Configuration(), owner) }

  private func refusal(_ key: String, _ text: String) -> String? {
    do throws(ControlRefusal) { _ = try settings.set(key, as: text, over: []) } catch { return error.message }
    return nil
  }

  @Test("Blocks without memory are replaced by those of the file, until the next start (I3)")
  func blocks() throws {
    #expect(try !settings.set("buffer.blocks", as: "2000", over: []) && settings.configuration.buffer.blocks == 2_000)
    settings.restoreBlocks()
    #expect(settings.configuration.buffer.blocks == Configuration().buffer.blocks)
    #expect(owner.settings.values == ["buffer.blocks": "2000"])
    #expect(try !settings.set("buffer.blocks", as: "100", over: []))
    settings.restoreBlocks()
    #expect(settings.configuration.buffer.blocks == 100, "fewer blocks than the file's need no replacement")
  }

  @Test("An unusable value of another key does not block a change; an unusable new value is refused (I3)")
  func replaced() throws {
    try owner.change(.set("timezone", "\"Mars/Base\""), over: [])
    let settings = SettingsController(Configuration(), owner)
    #expect(settings.configuration.replaced.map(\.key) == ["timezone"])
    #expect(try settings.set("panel.volume_step", as: "5", over: []) && settings.configuration.panel.volumeStep == 5)
    let words = "language must be en or de"
    #expect(throws: ControlRefusal(.argument, words)) { try settings.set("language", as: "fr", over: []) }
    #expect(try settings.set("timezone", as: "reset", over: []) && settings.configuration.replaced.isEmpty)
  }

  @Test("Blocks for more than half of the memory are refused, and ignored if they are stored (I3)")
  func memory() throws {
    let small = SettingsController(Configuration(), owner, memory: 64_000_000)
    let words = "6251 blocks need 33 MB of the machine's 64 MB; write at most 6250"
    #expect(throws: ControlRefusal(.argument, words)) { try small.set("buffer.blocks", as: "6251", over: []) }
    #expect(try !small.set("buffer.blocks", as: "6250", over: []) && small.configuration.buffer.blocks == 6_250)
    #expect(try small.set("panel.volume_step", as: "7", over: []))
    let smaller = SettingsController(Configuration(), owner, memory: 63_000_000)
    #expect(smaller.configuration == Configuration())
    #expect(try !smaller.set("buffer.blocks", as: "reset", over: []) && smaller.configuration.panel.volumeStep == 7)
  }

  @Test("A setting applies at once or from the next start, and reset restores it")
  func sets() throws {
    #expect(try settings.set("panel.scroll_ms", as: "200", over: []))
    #expect(try !settings.set("buffer.wait_live", as: "20", over: []))
    #expect(settings.configuration.panel.scrollMilliseconds == 200 && settings.configuration.buffer.waitLive == 20)
    #expect(try settings.set("panel.scroll_ms", as: "reset", over: []))
    #expect(settings.configuration.panel.scrollMilliseconds == 350 && owner.changeCount == 3)
  }

  @Test(
    "An invalid value is refused, and nothing changes",
    arguments: [("panel.scroll_ms", "1"), ("panel.scroll_ms", "fast"), ("panel.idle_clock", "maybe")])
  func refusals(_ key: String, _ text: String) {
    #expect(refusal(key, text) != nil && settings.configuration == Configuration() && owner.changeCount == 0)
  }

  @Test("An unknown key, or one of the file only, is refused by name")
  func keys() {
    #expect(refusal("panel.scrol_ms", "1")?.hasSuffix("did you mean panel.scroll_ms?") == true)
    #expect(refusal("board", "x") == Configuration.cannotChange("board"))
  }

  @Test("The owner's changes survive another file, and an unreadable one")
  func adopts() throws {
    _ = try settings.set("panel.scroll_ms", as: "200", over: [])
    var file = Configuration()
    file.audio.startVolumeMax = 70
    for read in [file, nil] {
      settings.adopt(read)
      let configuration = settings.configuration
      #expect(configuration.audio.startVolumeMax == 70 && configuration.panel.scrollMilliseconds == 200)
    }
  }
}
