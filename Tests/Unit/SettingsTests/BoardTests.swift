import Foundation
import PanelWords
import Settings
import TestSupport
import Testing

@Suite("Board")
struct BoardTests {
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: Repository.root + "/boards")) ?? [])
    .filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) }.sorted()

  static let wired = names.filter { $0 != "simulated" }

  /// The header position of each line on a Pi with 40 pins.
  static let header = [
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10, 16: 36, 17: 11,
    18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
  ]

  @Test("The packaged boards exist")
  func shipped() {
    for name in [
      Configuration().board, "raspberry-pi-pcm5102-lcd1602", "hifiberry-dacplus", "hifiberry-miniamp", "max98357a",
      "pimoroni-pirate-audio", "simulated",
    ] {
      #expect(Self.names.contains(name))
    }
  }

  @Test("Every board is valid, has a title, and documents parts and wiring (D9)", arguments: names)
  func everyBoard(_ name: String) throws {
    let board = try board(name)
    #expect(!board.title.isEmpty && !board.summary.isEmpty)
    let text = Repository.text("boards/\(name).toml")
    for words in ["# Parts\n# - ", "# Wiring"] { #expect(text.contains(words)) }
    #expect(board.buttons.contains { $0.actions.values.contains(.playPause) })
  }

  @Test(
    "A wired board fits Zero 2 W, 3, 4 and 5, enables its card, and keeps off I2S and I2C",
    arguments: wired)
  func wiredBoard(_ name: String) throws {
    let board = try board(name)
    #expect(board.chips == ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
    #expect(!board.sound.card.isEmpty)
    #expect(board.sound.overlay.first?.hasPrefix("dtoverlay=") == true)
    #expect(Set(board.sound.lines).isSuperset(of: [18, 19, 20, 21]))
    let lines = board.pins.map(\.line)
    #expect(Set(lines).isDisjoint(with: [18, 19, 20, 21]))
    #expect(Set(lines + board.sound.lines).count == lines.count + board.sound.lines.count)
    #expect(lines.allSatisfy { Self.header[$0] != nil })
    if case .i2c(let number, _, _)? = board.display?.bus {
      #expect(number == 1 && board.display?.lines == [2, 3] && !lines.contains(2) && !lines.contains(3))
      #expect(board.display?.overlay == ["dtparam=i2c_arm=on"])
    }
    for pin in board.buttons.compactMap(\.pin) { #expect(pin.pull == .up && pin.isActiveLow) }
    for contacts in board.encoders.compactMap(\.contacts) {
      for pin in [contacts.a, contacts.b] { #expect(pin.pull == .up && pin.isActiveLow) }
    }
  }

  @Test("A wiring table names every line once, at its header pin", arguments: wired)
  func wiringTable(_ name: String) throws {
    let board = try board(name)
    var rows: [Int: Int] = [:]
    for match in Repository.text("boards/\(name).toml").matches(of: /(?m)^# .*GPIO (\d+) +pin (\d+)/) {
      let (line, pin) = (try #require(Int(match.1)), try #require(Int(match.2)))
      #expect(rows[line] == nil && Self.header[line] == pin, "GPIO \(line)")
      rows[line] = pin
    }
    let used = board.pins.map(\.line) + board.sound.lines + (board.display?.lines ?? [])
    #expect(Set(rows.keys) == Set(used))
  }

  @Test("A display may be on a backpack, on six lines, or simulated")
  func displays() throws {
    let large = try #require(try board(Configuration().board).display)
    #expect(large.bus == .i2c(number: 1, address: 0x27, layout: .usual))
    #expect((large.kind, large.size.columns, large.size.rows, large.rom) == (.hd44780, 20, 4, .a00))
    let small = try #require(try board("max98357a").display)
    guard case .gpio(let rs, let enable, let data, nil) = small.bus else {
      Issue.record("max98357a has a display on lines")
      return
    }
    #expect(([rs, enable] + data).map(\.line) == [25, 24, 23, 16, 26, 12])
    #expect((small.size.columns, small.size.rows) == (16, 2))
    #expect(try board("max98357a").sound.isMono)
    #expect(try board("simulated").display?.bus == Board.Display.Bus.none)
    #expect(try board("pimoroni-pirate-audio").display == nil)
  }

  @Test("Buttons and knobs have the box's default wiring")
  func defaultWiring() throws {
    let board = try board(Configuration().board)
    let actions = Dictionary(uniqueKeysWithValues: board.buttons.map { ($0.name, $0.actions) })
    #expect(actions["knob"] == [.press: .select, .long: .mode])
    #expect(actions["play"]?[.press] == .playPause)
    #expect(actions["rewind"] == [.press: .rewind, .repeated: .rewind])
    #expect(actions["forward"] == [.press: .forward, .repeated: .forward, .long: .live])
    #expect(actions["preset"]?[.press] == .preset(1))
    let knob = try #require(board.encoders.first)
    #expect((knob.contacts?.a.line, knob.contacts?.b.line, knob.button) == (17, 27, "knob"))
    #expect((knob.steps, knob.mode) == (.full, .tune))
  }

  @Test("Keys of input devices press buttons and turn knobs")
  func inputs() throws {
    let board = try parse(
      """
      title = "x"
      [buttons]
      play = { press = "play_pause" }
      [encoders]
      knob = { mode = "volume", steps = "half" }
      [inputs.remote]
      device = "gpio_ir_recv"
      [inputs.remote.keys]
      KEY_PLAYPAUSE = "play"
      KEY_VOLUMEUP = "knob+"
      KEY_VOLUMEDOWN = "knob-"
      REL_DIAL = "knob"
      """)
    #expect(board.inputs.first?.device == "gpio_ir_recv")
    #expect(
      board.inputs.first?.keys == [
        "KEY_PLAYPAUSE": .button("play"), "KEY_VOLUMEUP": .click("knob", isClockwise: true),
        "KEY_VOLUMEDOWN": .click("knob", isClockwise: false), "REL_DIAL": .axis("knob"),
      ])
    let knob = try #require(board.encoders.first)
    #expect(knob.contacts == nil && knob.button == nil && knob.steps == .half && knob.mode == .volume)
  }

  static let mistakes: [(change: (String, String), line: Int, sentence: String)] = [
    (("title = \"x\"", "titel = \"x\""), 1, "there is no key \"titel\" here; did you mean title?"),
    (("title = \"x\"", ""), 1, "title is missing; write title = \"…\"."),
    (("line = 5,", "line = \"5\","), 8, "pin play: line is \"5\", and must be a whole number between 0 and 511."),
    (("line = 5,", ""), 8, "pin play: line is missing; write line = 17."),
    (("line = 5,", "line = 17,"), 8, "pin a and pin play are both on line 17; change one of them."),
    (("line = 5,", "line = 19,"), 8, "the sound card and pin play are both on line 19; change one of them."),
    (("line = 5,", "line = 2,"), 8, "the display's bus and pin play are both on line 2; change one of them."),
    (("pull = \"up\"", "pull = \"high\""), 8, "pin play: pull is \"high\", and must be up, down or none."),
    (("active_low", "activelow"), 8, "there is no key \"activelow\" in pin play; did you mean active_low?"),
    (("chips = [\"c\"]", ""), 6, "pin a has no chip; write chips = [\"pinctrl-bcm2711\"] at the top."),
    (("play = { press = \"play_pause\" }", ""), 8, "nothing uses pin play; call a button so, or name it in"),
    (("play = { press", "plai = { press"), 8, "nothing uses pin play"),
    (
      ("\"play_pause\"", "\"play_puase\""), 10,
      "button play: press is \"play_puase\", and must be an action of the panel; did you mean play_pause?"
    ),
    (("\"play_pause\"", "\"dance\""), 10, "must be an action of the panel: play_pause, stop, next,"),
    (("\"play_pause\"", "3"), 10, "button play: press is 3, and must be an action of the panel, such as"),
    (("press = \"play_pause\"", ""), 10, "button play does nothing; give it a press = \"…\"."),
    (("a = \"a\"", "a = \"aa\""), 12, "encoder knob: there is no pin \"aa\" in [pins]; did you mean a?"),
    (
      ("b = \"b\"", "b = \"play\""), 12, "pin play already belongs to button play; choose another pin for encoder knob."
    ),
    (("a = \"a\", b = \"b\", ", ""), 12, "nothing turns encoder knob; give it the pins a and b, or keys in [inputs]."),
    (("b = \"b\", ", ""), 12, "encoder knob: b is missing; write b = \"…\"."),
    (("button = \"play\"", "button = \"push\""), 12, "encoder knob: there is no button \"push\" in [buttons]."),
    (("button = \"play\"", "steps = \"quarter\""), 12, "encoder knob: steps is \"quarter\", and must be full or half."),
    (
      ("button = \"play\"", "mode = \"balance\""), 12,
      "encoder knob: mode is \"balance\", and must be tune, volume or scrub."
    ),
    (("0x27", "0x78"), 18, "[display] address is 120, and must be a whole number between 0x8 and 0x77."),
    (("address = 0x27", ""), 13, "[display] address is missing; write address = 0x27."),
    (
      ("layout = \"usual\"", "layout = \"other\""), 19,
      "layout is \"other\", and must be usual or data-first."
    ),
    (("size = \"16x2\"", "size = \"40x2\""), 15, "[display] size is \"40x2\", and must be 16x2 or 20x4."),
    (("rom = \"A02\"", "rom = \"A01\""), 16, "[display] rom is \"A01\", and must be A00 or A02."),
    (("bus = \"i2c\"", "bus = \"spi\""), 17, "[display] bus is \"spi\", and must be i2c or gpio."),
    (("kind = \"hd44780\"", "kind = \"oled\""), 14, "[display] kind is \"oled\", and must be hd44780 or simulated."),
    (
      ("KEY_PLAY = \"play\"", "Play = \"play\""), 24,
      "\"Play\" is not a key of the kernel; its names begin with KEY_, BTN_, REL_ or ABS_."
    ),
    (
      ("KEY_PLAY = \"play\"", "KEY_PLAY = \"stop\""), 24,
      "KEY_PLAY is \"stop\", and must be a button, or an encoder followed by + or -"
    ),
    (("KEY_PLAY = \"play\"", "KEY_PLAY = \"play+\""), 24, "must be a button, or an encoder"),
    (("device = \"ir\"", ""), 22, "input remote: device is missing"),
    (("i2c_arm=on", "i2c_arm=on'; reboot; '"), 20, "must be a line of config.txt:"),
    (("\"ir\"", "\"terminal\""), 24, "\"KEY_PLAY\" is not a key of a terminal; it must be a character, or up, down,"),
  ]

  @Test("A mistake is one sentence with its line (D9)", arguments: mistakes)
  func mistake(_ change: (String, String), _ line: Int, _ sentence: String) throws {
    #expect(throws: Never.self) { try parse(Self.good) }
    let text = Self.good.replacing(change.0, with: change.1, maxReplacements: 1)
    #expect(text != Self.good)
    let errors = try #require(throws: SettingsErrors.self) { try parse(text) }
    let found = errors.all.first { $0.description.contains(sentence) }
    #expect(found?.line == line, "\(errors)")
  }

  @Test("A missing board lists the existing ones")
  func named() throws {
    let folders = ["/no/such/folder", Repository.root + "/boards"]
    #expect(try Board(named: "simulated", in: folders).display?.kind == .simulated)
    for (name, words) in [
      ("simulate", "there is no board \"simulate\"; did you mean simulated?"),
      ("beagle", "there are hifiberry-dacplus, "),
      ("../boards/simulated", "there is no board \"../boards/simulated\""),
    ] {
      let errors = try #require(throws: SettingsErrors.self) { try Board(named: name, in: folders) }
      #expect(errors.description.contains(words), "\(errors)")
    }
  }

  static let good = """
    title = "x"
    chips = ["c"]
    [sound]
    lines = [18, 19, 20, 21]
    [pins]
    a = { line = 17 }
    b = { line = 27 }
    play = { line = 5, pull = "up", active_low = true }
    [buttons]
    play = { press = "play_pause" }
    [encoders]
    knob = { a = "a", b = "b", button = "play" }
    [display]
    kind = "hd44780"
    size = "16x2"
    rom = "A02"
    bus = "i2c"
    address = 0x27
    layout = "usual"
    overlay = ["dtparam=i2c_arm=on"]
    lines = [2, 3]
    [inputs.remote]
    device = "ir"
    keys = { KEY_PLAY = "play" }
    """

  private func board(_ name: String) throws -> Board { try Board(path: "\(Repository.root)/boards/\(name).toml") }

  private func parse(_ text: String) throws -> Board { try Board(Array(text.utf8), file: "test.toml") }
}
