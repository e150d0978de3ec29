import Control
import Foundation
import Panel
import Settings
import System
import TestSupport
import Testing
import Units

@testable import Box

/// The box's tasks for the web panel: code, flag and host name (W3).
@Suite struct WebKeeperTests {
  private let state = TemporaryFolder()
  private let run = TemporaryFolder()

  private func configuration(_ change: (inout WebSettings) -> Void = { $0.isEnabled = true }) -> Configuration {
    var configuration = Configuration()
    configuration.statePath = state.path
    change(&configuration.web)
    return configuration
  }

  private func keeper(_ configuration: Configuration) -> WebKeeper {
    WebKeeper(configuration, .machine, flag: WebFlag(folder: run.path), host: MachineName("Kitchen.example.org"))
  }

  /// The content of systemd's flag file; nil if the panel is off.
  private var flag: String? { try? String(contentsOfFile: run.path + "/web", encoding: .utf8) }

  private var kept: WebCode? { WebCodeFile(folder: state.path).load().content }

  @Test("The panel is off at first, without a code, and systemd is not notified (W3)")
  func off() {
    let keeper = keeper(configuration { _ in })
    #expect(keeper.code == nil && keeper.panelCode == nil && flag == nil)
    keeper.finish()
    #expect(kept == nil)
  }

  @Test("Each switch-on draws a new code, and each switch-off removes it (W3)")
  func switches() throws {
    let keeper = keeper(configuration { _ in })
    var settings = WebSettings()
    settings.isEnabled = true
    #expect(keeper.use(settings) && !keeper.use(settings))
    let first = try #require(keeper.code)
    #expect(flag == "" && first.text.count == 8)
    #expect(keeper.panelCode == PanelWebCode(address: "kitchen.local", code: first.text, isNew: true))
    #expect(keeper.use(WebSettings()) && keeper.code == nil && keeper.panelCode == nil && flag == nil)
    #expect(keeper.use(settings) && keeper.code != nil && keeper.code != first && flag == "")
    keeper.finish()
    #expect(kept == keeper.code)
    let again = self.keeper(configuration())
    #expect(again.use(WebSettings()))
    again.finish()
    #expect(kept == nil && flag == nil)
  }

  @Test("The code survives a restart without reappearing, as after a sign-in (W3)")
  func restarts() throws {
    let first = keeper(configuration())
    let code = try #require(first.code)
    first.finish()
    let second = keeper(configuration())
    #expect(second.code == code && second.panelCode?.isNew == false)
    second.recordLogin()
    #expect(second.panelCode?.isUsed == true && second.code?.text == code.text)
    second.recordLogin()
    second.finish()
    let third = keeper(configuration())
    #expect(third.panelCode?.isUsed == true && third.code?.text == code.text && third.code?.isUsed == true)
    third.finish()
    // The panel was disabled in bakelite.toml while the radio was off.
    let fourth = keeper(configuration { _ in })
    fourth.finish()
    #expect(fourth.code == nil && kept == nil && flag == nil)
  }

  @Test("An owner's password removes the code (W3)")
  func password() {
    let first = keeper(configuration())
    var settings = configuration().web
    settings.passwordFile = "bakelite-web.password"
    #expect(first.use(settings) && first.code == nil && first.panelCode == nil && flag == "")
    first.recordLogin()
    first.finish()
    #expect(kept == nil && first.code == nil)
  }

  @Test("systemd gets the panel's address, and opens no port of its own (W3)")
  func elsewhere() {
    let keeper = keeper(configuration())
    var settings = configuration().web
    settings.listen = ["127.0.0.1:9090", "0.0.0.0:8080"].compactMap { ListenAddress($0) }
    #expect(keeper.use(settings) && flag == "127.0.0.1:9090\n0.0.0.0:8080\n")
    #expect(keeper.panelCode?.address == "kitchen.local:8080")
    settings.listen = []
    #expect(keeper.use(settings) && flag == "")
    keeper.finish()
    #expect((try? FileManager.default.contentsOfDirectory(atPath: run.path)) == ["web"])
  }

  @Test("Without systemd's folder the panel is served, and no file is created (W3)")
  func withoutFolder() {
    let keeper = WebKeeper(configuration(), .machine, flag: WebFlag(folder: nil), host: MachineName("box"))
    #expect(keeper.code != nil)
    keeper.finish()
    #expect((try? FileManager.default.contentsOfDirectory(atPath: run.path)) == [])
  }
}
