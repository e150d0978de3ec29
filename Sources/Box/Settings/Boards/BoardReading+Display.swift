extension BoardReading {
  mutating func readDisplay(_ table: TableReader) {
    var display = Board.Display()
    table.require("kind", "\"hd44780\"")
    table.require("size", "\"20x4\"")
    display.kind = table.word("kind", Board.Display.Kind.self) ?? .hd44780
    display.size = table.word("size", Board.Display.Size.self) ?? .large
    display.overlay = table.texts("overlay", .overlay, most: 8) ?? []
    display.lines = table.wholes("lines", Self.lineRange, most: 8) ?? []
    if display.kind == .hd44780 {
      display.rom = table.word("rom", Board.Display.Rom.self) ?? .a00
      table.require("bus", "\"i2c\"")
      display.bus = readBus(table)
    }
    table.close()
    board.display = display
  }

  private enum BusWord: String, CaseIterable { case i2c, gpio }

  private mutating func readBus(_ table: TableReader) -> Board.Display.Bus {
    switch table.word("bus", BusWord.self) {
    case .i2c:
      table.require("address", "0x27")
      return .i2c(
        number: table.whole("number", 0...255, "") ?? 1,
        address: table.whole("address", 0x08...0x77, "", isHex: true) ?? 0,
        layout: table.word("layout", Board.Display.Layout.self) ?? .usual)
    case .gpio:
      for key in ["rs", "e", "d4", "d5", "d6", "d7"] { table.require(key, "\"…\"") }
      let (rs, enable) = (readPinName(table, "rs", "the display"), readPinName(table, "e", "the display"))
      let data = ["d4", "d5", "d6", "d7"].compactMap { readPinName(table, $0, "the display") }
      let light = readPinName(table, "light", "the display")
      guard let rs, let enable, data.count == 4 else { return .none }
      return .gpio(rs: rs, enable: enable, data: data, light: light)
    case nil: return .none
    }
  }
}
