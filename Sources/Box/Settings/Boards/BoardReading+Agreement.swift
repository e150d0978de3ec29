extension BoardReading {
  func checkUse(_ root: TomlTable) {
    for pin in board.pins where users[pin.name] == nil {
      let hint = "call a button so, or name it in [encoders] or [display]"
      log.add(line: pinLines[pin.name] ?? 1, "nothing uses pin \(pin.name); \(hint)")
    }
    for button in board.buttons where button.pin == nil && !hasKeys.contains(button.name) {
      let hint = "give a pin its name, or a key in [inputs]"
      log.add(line: Self.line(of: button.name, in: "buttons", root), "nothing presses button \(button.name); \(hint)")
    }
    for encoder in board.encoders where encoder.contacts == nil && !hasKeys.contains(encoder.name) {
      let hint = "give it the pins a and b, or keys in [inputs]"
      log.add(line: Self.line(of: encoder.name, in: "encoders", root), "nothing turns encoder \(encoder.name); \(hint)")
    }
  }

  func checkLines(_ root: TomlTable) {
    struct ChipLine: Hashable { var chip: String?, line: Int }
    var owners: [ChipLine: String] = [:]
    func take(_ chipLine: ChipLine, _ owner: String, _ line: Int) {
      if let other = owners[chipLine] {
        log.add(line: line, "\(other) and \(owner) are both on line \(chipLine.line); change one of them")
      }
      owners[chipLine] = owner
    }
    for line in board.sound.lines {
      take(ChipLine(chip: nil, line: line), "the sound card", Self.line(of: "lines", in: "sound", root))
    }
    for line in board.display?.lines ?? [] {
      take(ChipLine(chip: nil, line: line), "the display's bus", Self.line(of: "lines", in: "display", root))
    }
    for pin in board.pins where pin.line >= 0 {
      let chip = pin.chip.flatMap { board.chips.contains($0) ? nil : $0 }
      take(ChipLine(chip: chip, line: pin.line), "pin \(pin.name)", pinLines[pin.name] ?? 1)
    }
  }

  private static func line(of key: String, in table: String, _ root: TomlTable) -> Int {
    guard let entry = root[table], case .table(let content) = entry.value else { return 1 }
    return content[key]?.line ?? entry.line
  }
}
