import PanelWords

/// Reads the tables of a board file and checks them against each other.
struct BoardReading {
  var board = Board()
  let log: ProblemLog
  private(set) var pinLines: [String: Int] = [:]
  /// The user of each pin, such as "button play" or "encoder knob".
  private(set) var users: [String: String] = [:]
  /// The names of buttons and encoders that an input device operates.
  var hasKeys: Set<String> = []

  init(_ log: ProblemLog) { self.log = log }

  mutating func read(_ table: TomlTable) {
    let root = TableReader(table, log)
    root.require("title", "\"…\"")
    board.title = root.text("title", .line) ?? ""
    board.summary = root.text("summary", .line) ?? ""
    board.chips = root.texts("chips", .line, most: 8) ?? []
    if let sound = root.table("sound") { readSound(sound) }
    if let pins = root.table("pins") { pins.entries.forEach { readPin($0, pins) } }
    // Keys refer to buttons and encoders, so inputs come last.
    if let buttons = root.table("buttons") { buttons.entries.forEach { readButton($0, buttons) } }
    if let encoders = root.table("encoders") { encoders.entries.forEach { readEncoder($0, encoders) } }
    if let inputs = root.table("inputs") { inputs.entries.forEach { readInput($0, inputs) } }
    if let display = root.table("display") { readDisplay(display) }
    root.close()
    checkUse(table)
    checkLines(table)
  }

  private mutating func readSound(_ table: TableReader) {
    board.sound.card = table.text("card", .line) ?? ""
    board.sound.overlay = table.texts("overlay", .overlay, most: 8) ?? []
    board.sound.lines = table.wholes("lines", Self.lineRange, most: 16) ?? []
    board.sound.isMono = table.flag("mono") ?? false
    table.close()
  }

  private mutating func readPin(_ entry: TomlEntry, _ pins: TableReader) {
    guard Self.isNamed(entry, pins), let table = pins.reader(of: entry, title: "pin \(entry.key): ") else { return }
    table.require("line", "17")
    var pin = Board.Pin(name: entry.key, line: table.whole("line", Self.lineRange, "") ?? -1)
    pin.chip = table.text("chip", .line)
    pin.pull = table.word("pull", Board.Pull.self) ?? .none
    pin.isActiveLow = table.flag("active_low") ?? false
    table.close()
    if pin.chip == nil, board.chips.isEmpty {
      log.add(line: entry.line, "pin \(entry.key) has no chip; write chips = [\"pinctrl-bcm2711\"] at the top")
    }
    pinLines[entry.key] = entry.line
    board.pins.append(pin)
  }

  private mutating func readButton(_ entry: TomlEntry, _ buttons: TableReader) {
    guard Self.isNamed(entry, buttons), let table = buttons.reader(of: entry, title: "button \(entry.key): ") else {
      return
    }
    var actions: [Gesture: PanelAction] = [:]
    for gesture in Gesture.allCases { actions[gesture] = readAction(table, gesture.rawValue) }
    table.close()
    if table.entries.isEmpty { log.add(line: entry.line, "button \(entry.key) does nothing; give it a press = \"…\"") }
    let pin = board.pins.first { $0.name == entry.key }
    if pin != nil { users[entry.key] = "button \(entry.key)" }
    board.buttons.append(Board.Button(name: entry.key, pin: pin, actions: actions))
  }

  private func readAction(_ table: TableReader, _ gesture: String) -> PanelAction? {
    guard let entry = table.entry(gesture, "an action of the panel") else { return nil }
    guard case .text(let word) = entry.value else {
      table.refuse(entry, "must be an action of the panel, such as \"play_pause\"")
      return nil
    }
    if let action = PanelAction(word) { return action }
    let near = SpellingSuggestion.nearest(to: word, of: PanelAction.words).map { "; did you mean \($0)?" }
    table.refuse(entry, "must be an action of the panel\(near ?? ": \(PanelAction.words.joined(last: "or"))")")
    return nil
  }

  private mutating func readEncoder(_ entry: TomlEntry, _ encoders: TableReader) {
    guard Self.isNamed(entry, encoders), let table = encoders.reader(of: entry, title: "encoder \(entry.key): ") else {
      return
    }
    var encoder = Board.Encoder(name: entry.key)
    let user = "encoder \(entry.key)"
    let (a, b) = (readPinName(table, "a", user), readPinName(table, "b", user))
    if let a, let b { encoder.contacts = Board.Contacts(a: a, b: b) }
    if (table.has("a"), table.has("b")) == (true, false) { table.require("b", "\"…\"") }
    if (table.has("a"), table.has("b")) == (false, true) { table.require("a", "\"…\"") }
    if let name = table.text("button", .name), let line = table.line(of: "button") {
      if board.buttons.contains(where: { $0.name == name }) {
        encoder.button = name
      } else {
        log.add(line: line, "encoder \(entry.key): there is no button \(name.quoted) in [buttons]")
      }
    }
    encoder.steps = table.word("steps", Board.Steps.self) ?? .full
    encoder.mode = table.word("mode", KnobMode.self) ?? .tune
    table.close()
    board.encoders.append(encoder)
  }

  mutating func readPinName(_ table: TableReader, _ key: String, _ user: String) -> Board.Pin? {
    guard let name = table.text(key, .name), let line = table.line(of: key) else { return nil }
    guard let pin = board.pins.first(where: { $0.name == name }) else {
      let near = SpellingSuggestion.nearest(to: name, of: board.pins.map(\.name)).map { "; did you mean \($0)?" }
      log.add(line: line, "\(user): there is no pin \(name.quoted) in [pins]\(near ?? "")")
      return nil
    }
    if let other = users[name] {
      log.add(line: line, "pin \(name) already belongs to \(other); choose another pin for \(user)")
    }
    users[name] = user
    return pin
  }

  static let lineRange = 0...511

  static func isNamed(_ entry: TomlEntry, _ table: TableReader) -> Bool {
    guard !TextRule.isName(entry.key) else { return true }
    table.log.add(line: entry.line, "\(entry.key.quoted) must be \(TextRule.name.allowed)")
    return false
  }
}
