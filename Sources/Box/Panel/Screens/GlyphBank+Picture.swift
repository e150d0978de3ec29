extension GlyphBank {
  /// Assigns the custom characters: icons and bars first, then letters in order.
  mutating func picture(of screen: Screen) -> PanelPicture {
    var (wanted, letters) = (WantedShapes(), WantedShapes())
    for case .glyph(let glyph) in screen.cells {
      if glyph.isLetter { letters.append(glyph.shape) } else { wanted.append(glyph.shape) }
    }
    for shape in letters.all { wanted.append(shape) }
    share(wanted)
    var frame = DisplayFrame(columns: screen.columns, rows: screen.rows)
    var characters: [Character] = []
    characters.reserveCapacity(screen.cells.count)
    for (index, cell) in screen.cells.enumerated() {
      switch cell {
      case .rom(let code, let character):
        frame.cells[index] = code
        characters.append(character)
      case .glyph(let glyph):
        let place = slot(of: glyph.shape)
        frame.cells[index] = place ?? screen.typesetter.rom.code(for: glyph.spare) ?? 0x20
        characters.append(place == nil ? glyph.spare : glyph.character)
      }
    }
    frame.glyphs = lines
    frame.isLit = screen.isLit
    return PanelPicture(frame: frame, characters: characters)
  }
}
