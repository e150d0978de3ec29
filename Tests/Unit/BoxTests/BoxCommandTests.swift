import Control
import Http
import Network
import Settings
import System
import Testing
import Units

@testable import Box
@testable import Control

@Suite struct BoxCommandTests {
  private final class FakeBox: BoxControls {
    let rooms = RoomKeeper(Configuration(), .machine) { _ in }
    let presets: PresetController
    let settings: SettingsController
    let relocation: RelocationController
    let mover: RelocationPlayer
    let web: WebKeeper
    let alarms: AlarmKeeper
    let directory = DirectoryState.absent
    let sources = (stations: "/nowhere/stations.toml", owner: "/nowhere/owner.toml")
    var fault: String?
    var told: [String] = []

    init() {
      let owner = FakeOwner()
      var webSettings = WebSettings()
      webSettings.isEnabled = true
      web = WebKeeper(webSettings, nil, flag: WebFlag(folder: nil), host: MachineName("box")) { _ in }
      presets = PresetController(["One", "Two"], owner)
      settings = SettingsController(Configuration(), owner)
      alarms = AlarmKeeper(owner, presets, settings, handled: nil)
      var health = PresetHealth()
      for name in ["one", "two"] {
        let new = StationAddress("http://new.\(name).example/?token=geheim")
        health.ask(
          .init(url: new, name: "New \(name)", directoryID: BoxCommandTests.id),
          of: StationAddress("http://\(name).example/"), at: 0)
      }
      relocation = RelocationController(presets, settings, health, FakeDirectory(), FakeListener()) { _ in }
      mover = RelocationPlayer(
        relocation, presets, PlayerFiller(presets, settings, folder: "/nowhere", .machine))
    }

    func addStatus(to answer: inout ControlAnswer) {}
    var sleepMinutes: Int?
    func setSleep(minutes: Int?) { sleepMinutes = minutes }
    var updates: any DirectoryControl { finder }
    let finder = StationFinder(
      DirectoryKeeper(path: "/nowhere/directory", .machine) { _ in }, zone: "")
    func power(_ isOn: Bool) { told.append("power \(isOn)") }
    func usePresets() { told.append("use") }
    func savePlaying() throws(ControlRefusal) { throw .notPlaying }
    func set(_ key: String, as text: String) throws(ControlRefusal) -> Bool {
      try settings.set(key, as: text, over: [])
    }
    func reload() -> String? { fault }
    func press(_ button: String, _ gesture: String) throws(ControlRefusal) { told.append("\(button) \(gesture)") }
    func turn(_ clicks: Int, _ mode: String?) throws(ControlRefusal) { told.append("\(clicks) \(mode ?? "-")") }
    func writeDisplay(_ answer: inout ControlAnswer, isLocal: Bool) { answer.add("row_1", "One") }
  }

  private static let id = "960cf833-0601-11e8-ae97-52543be04c81"

  private let box = FakeBox()
  private let context: ControlContext
  private let commands: CommandTable
  private let session: ControlSession

  init() {
    context = ControlContext(PlayerController(AbsentRadio()))
    commands = CommandTable(RadioCommands.rows(.init(version: "1")) + BoxCommands.rows(box), context)
    session = ControlSession(commands, isLocal: true)
    session.client.removeSent(session.client.outgoing.count)
  }

  private func ask(_ line: String) -> String {
    session.receive(Array((line + "\n").utf8))
    session.work()
    defer { session.client.removeSent(session.client.outgoing.count) }
    return String(decoding: session.client.outgoing, as: UTF8.self)
  }

  @Test(
    "Commands operate the panel",
    arguments: [
      ("radio_press play", ["play press"], "OK\n"), ("radio_press play long", ["play long"], "OK\n"),
      ("radio_turn -3", ["-3 -"], "OK\n"), ("radio_turn 100 volume", ["100 volume"], "OK\n"),
      ("radio_turn 101", [], "ACK [2@0] {radio_turn} Number too large: 101\n"),
      ("radio_turn left", [], "ACK [2@0] {radio_turn} Integer expected: left\n"),
      ("radio_display", [], "row_1: One\nOK\n"),
    ] as [(String, [String], String)])
  func panel(_ line: String, _ told: [String], _ answer: String) {
    #expect(ask(line) == answer && box.told == told)
  }

  @Test(
    "Changed presets apply everywhere",
    arguments: [
      ("add Three http://three.example/", ["One", "Two", "Three"]),
      ("add Three http://three.example/ 1", ["Three", "One", "Two"]), ("remove One", ["Two"]),
      ("move Two 1", ["Two", "One"]), ("edit Two name Zwei", ["One", "Zwei"]),
    ])
  func presets(_ words: String, _ names: [String]) {
    #expect(ask("radio_preset \(words)") == "OK\n" && box.presets.names == names && box.told == ["use"])
  }

  @Test(
    "A refused change changes nothing",
    arguments: [
      ("add", "[55@0] {radio_preset} Not playing"), ("add Three", "wrong number of arguments"),
      ("remove", "wrong number of arguments"), ("remove Three", "There is no preset Three; they are 1 to 2"),
      ("move One x", "Integer expected: x"), ("move One 9", "there is no place 9"),
      ("edit One name", "wrong number of arguments"), ("edit One colour red", "{radio_preset}"),
      ("sort", "There is no sort; there are add, remove, move and edit"),
    ])
  func refusals(_ words: String, _ part: String) {
    let answer = ask("radio_preset \(words)")
    #expect(answer.hasPrefix("ACK ") && answer.contains(part), "\(answer)")
    #expect(box.presets.names == ["One", "Two"] && box.told == [])
  }

  @Test("Moved presets are listed, and their new addresses accepted or refused (G5)")
  func relocate() {
    let one = """
      preset: One
      url: http://one.example/
      new_url: http://new.one.example/
      new_name: New one
      directory_id: \(Self.id)

      """
    #expect(ask("radio_relocate") == one + one.replacing("One", with: "Two").replacing("one", with: "two") + "OK\n")
    #expect(ask("radio_relocate accept").contains("Say which preset; One, Two may have moved"))
    #expect(ask("radio_relocate take").contains("There is no take; there are accept and refuse"))
    #expect(ask("radio_relocate accept Three").contains("There is no preset Three"))
    #expect(ask("radio_relocate refuse two") == "OK\n" && ask("radio_relocate") == one + "OK\n")
    #expect(ask("radio_relocate accept Two").contains("There is no new address for Two"))
    #expect(ask("radio_relocate accept") == "OK\n" && ask("radio_relocate") == "OK\n")
    #expect(ask("radio_relocate refuse").contains("No preset has moved"))
    let settings = box.presets.catalog.entries[0].settings
    #expect(settings.url == "http://new.one.example/?token=geheim" && settings.directoryID == Self.id)
    #expect(settings.alternatives == [StationAlternative("http://one.example/")])
  }

  @Test("A directory address made a preset by a client stays out of the owner's network (G4, G5)")
  func reach() {
    context.directory.reportedAddresses.insert("http://192.168.1.1/reboot")
    context.directory.reportedAddresses.insert("http://told.example/")
    for words in ["add Router http://192.168.1.1/reboot", "edit One url http://192.168.1.1/reboot"] {
      #expect(ask("radio_preset \(words)").hasPrefix("ACK [4@0]"), "\(words)")
    }
    _ = ask("radio_relocate")
    for words in ["edit One url http://told.example/", "add Three http://new.two.example/"] {
      #expect(ask("radio_preset \(words)") == "OK\n")
    }
    #expect(ask("radio_preset edit Two url http://192.168.1.2/") == "OK\n", "the owner may")
    #expect(box.presets.catalog.entries.map(\.settings.isFromDirectory) == [true, false, true])
  }

  @Test("A directory station with a secret address is stored by its hidden name (G4)")
  func hidden() {
    var request = StationRequest(url: "http://hidden.example/live?token=1")
    request.reach = AddressPolicy(namedBy: "")
    #expect(context.player.add(request, name: "Hidden") != nil)
    #expect(ask("radio_preset add Kept station:Hidden") == "OK\n")
    let kept = box.presets.catalog.entries.last?.settings
    #expect(kept?.url == request.url && kept?.isFromDirectory == true)
  }

  @Test("Settings are listed, changed and reset")
  func settings() {
    #expect(ask("radio_setting panel.scroll_ms 200") == "applies: now\npanel.scroll_ms: 200\nOK\n")
    #expect(ask("radio_setting buffer.wait_live 20").hasPrefix("applies: restart\n"))
    #expect(ask("radio_setting panel.scroll_ms reset") == "applies: now\npanel.scroll_ms: 350\nOK\n")
    let list = ask("radio_setting list")
    #expect(list.contains("key: panel.scroll_ms\nvalue: 350\ndefault: 350\napplies: now\n"))
    #expect(list.contains("key: buffer.wait_live\nvalue: 20\ndefault: 10\napplies: restart\n"))
    let all = ask("radio_setting")
    for key in Configuration.changeableKeys { #expect(all.contains("\(key): ") || all.contains("\(key):")) }
    #expect(ask("radio_setting board") == "ACK [2@0] {radio_setting} \(Configuration.cannotChange("board"))\n")
    #expect(ask("radio_setting panel.scroll_ms fast").hasPrefix("ACK [2@0] {radio_setting}"))
  }

  @Test("Only the web panel's program gets its settings, and reports a sign-in (W3)")
  func webPanel() throws {
    let code = try #require(box.web.code?.text)
    let told = "enabled: 1\nlisten: \ncertificate: \nkey: \nread_only: 0\npassword_file: \ncode: \(code)\nOK\n"
    #expect(ask("radio_web") == told && box.web.panelCode != nil)
    #expect(ask("radio_web logout") == "ACK [2@0] {radio_web} There is no logout; there is login\n")
    #expect(ask("radio_web login") == "OK\n" && box.web.panelCode?.isUsed == true && ask("radio_web") == told)
    var settings = WebSettings()
    settings.isReadOnly = true
    settings.listen = ["127.0.0.1:8080", "[::1]:8080"].compactMap { ListenAddress($0) }
    settings.passwordFile = "/etc/hash"
    (settings.certificate, settings.key) = ("/etc/cert.pem", "bakelite-web.key")
    #expect(box.web.use(settings))
    let lines = [
      "enabled: 0", "listen: 127.0.0.1:8080,[::1]:8080", "certificate: /etc/cert.pem", "key: bakelite-web.key",
      "read_only: 1",
      "password_file: /etc/hash", "OK\n",
    ]
    #expect(ask("radio_web") == lines.joined(separator: "\n"))
    let remote = ControlSession(commands, isLocal: false, address: "192.168.1.9")
    remote.client.removeSent(remote.client.outgoing.count)
    remote.receive(Array("radio_web\n".utf8))
    remote.work()
    let answer = String(decoding: remote.client.outgoing, as: UTF8.self)
    #expect(answer == "ACK [4@0] {radio_web} Command only permitted to local clients\n")
  }

  @Test("The sleep timer is set, switched off and reported")
  func sleep() {
    #expect(ask("radio_sleep") == "sleep_minutes: 0\nOK\n")
    #expect(ask("radio_sleep 30") == "sleep_minutes: 30\nOK\n" && box.sleepMinutes == 30)
    #expect(ask("radio_sleep") == "sleep_minutes: 30\nOK\n")
    #expect(ask("radio_sleep 1440") == "sleep_minutes: 1440\nOK\n")
    for (word, part) in [("1441", "1 to 1440 minutes"), ("-5", "1 to 1440 minutes"), ("soon", "Integer expected")] {
      let answer = ask("radio_sleep \(word)")
      #expect(answer.hasPrefix("ACK [2@0] {radio_sleep}") && answer.contains(part), "\(answer)")
    }
    #expect(box.sleepMinutes == 1_440)
    #expect(ask("radio_sleep off") == "sleep_minutes: 0\nOK\n" && box.sleepMinutes == nil)
  }

  @Test("Alarms are added, changed, listed without secrets, and removed")
  func alarms() {
    #expect(ask("radio_alarm") == "OK\n")
    let added = ask("radio_alarm add 6:30 mon,fri one volume 55")
    #expect(added.hasPrefix("alarm: 1\ntime: 06:30\ndays: mon,fri\nsource: one\nvolume: 55\nrise_s: 30\n"))
    #expect(ask("radio_alarm set 1 days weekend minutes 5").contains("days: sat,sun\n"))
    #expect(ask("radio_alarm off 1").contains("on: 0\n") && ask("radio_alarm on 1").contains("on: 1\n"))
    let secret = ask("radio_alarm add 07:00 2030-01-01 http://anna:geheim@a.example/?token=geheim")
    #expect(secret.contains("alarm: 2\n") && secret.contains("days: 2030-01-01") && !secret.contains("geheim"))
    for (words, part) in [
      ("add 06:30 daily", "[2@0]"), ("set 3 volume 5", "no alarm 3"), ("set 1 colour red", "no colour"),
      ("set 1 volume 101", "volume is 1 to 100"), ("remove x", "Integer expected"), ("skip 1 maybe", "no maybe"),
    ] {
      let answer = ask("radio_alarm \(words)")
      #expect(answer.hasPrefix("ACK") && answer.contains(part), "\(answer)")
    }
    #expect(!ask("radio_alarm remove 1").contains("alarm: 2"))
    let remote = ControlSession(commands, isLocal: false, address: "192.168.1.9")
    remote.client.removeSent(remote.client.outgoing.count)
    remote.receive(Array("radio_alarm add 07:00 daily /etc/passwd\n".utf8))
    remote.work()
    #expect(String(decoding: remote.client.outgoing, as: UTF8.self).hasPrefix("ACK [4@0]"))
  }

  @Test("A reload lists the files and their faults")
  func reload() {
    let files = "file: /nowhere/stations.toml\nowner: /nowhere/owner.toml\nOK\n"
    #expect(ask("radio_reload") == "stations: 2\n" + files)
    box.fault = "It is half written."
    #expect(ask("radio_reload") == "stations: 2\nproblem: It is half written.\n" + files)
  }
}
