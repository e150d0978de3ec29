extension BoardReading {
  mutating func readInput(_ entry: TomlEntry, _ inputs: TableReader) {
    guard Self.isNamed(entry, inputs), let table = inputs.reader(of: entry, title: "input \(entry.key): ") else {
      return
    }
    table.require("device", "\"gpio_ir_recv\"")
    var input = Board.Input(name: entry.key, device: table.text("device", .line) ?? "", keys: [:])
    if let keys = table.table("keys") {
      for key in keys.entries { input.keys[key.key] = readKey(key, keys, isTerminal: input.device == "terminal") }
    }
    table.close()
    board.inputs.append(input)
  }

  private mutating func readKey(_ entry: TomlEntry, _ keys: TableReader, isTerminal: Bool) -> Board.KeyTarget? {
    guard isTerminal || InputKey.isName(entry.key) else {
      let names = "its names begin with KEY_, BTN_, REL_ or ABS_"
      log.add(line: entry.line, "\(entry.key.quoted) is not a key of the kernel; \(names)")
      return nil
    }
    guard !isTerminal || InputKey.isTerminalName(entry.key) else {
      let words = InputKey.terminalWords.joined(last: "or")
      log.add(line: entry.line, "\(entry.key.quoted) is not a key of a terminal; it must be a character, or \(words)")
      return nil
    }
    guard case .text(let text) = entry.value, let target = InputKey.target(text, isAxis: InputKey.isAxis(entry.key)),
      exists(target)
    else {
      keys.refuse(entry, "must be a button, or an encoder followed by + or - (an axis: an encoder)")
      return nil
    }
    switch target {
    case .button(let name), .click(let name, _), .axis(let name): hasKeys.insert(name)
    }
    return target
  }

  private func exists(_ target: Board.KeyTarget) -> Bool {
    switch target {
    case .button(let name): board.buttons.contains { $0.name == name }
    case .click(let name, _), .axis(let name): board.encoders.contains { $0.name == name }
    }
  }
}
