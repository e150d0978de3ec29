enum QuestionScreen {
  static func draw(_ question: PanelQuestion, _ chosen: PanelAnswer, on screen: inout Screen) {
    let text = screen.texts.moved(question.preset)
    let form = text.forms.first { screen.typesetter.cells($0).count <= screen.columns } ?? text.forms.first ?? ""
    screen.scroll(form, row: 0, width: screen.columns)
    if screen.isTall {
      screen.scroll(question.station, row: 1, width: screen.columns)
      screen.scroll(question.host, row: 2, width: screen.columns)
    }
    answers(chosen, on: &screen)
  }

  /// With 20 columns the arrow is between symbol and word, with 16 before both.
  private static func answers(_ chosen: PanelAnswer, on screen: inout Screen) {
    let all = PanelAnswer.allCases
    let words = all.map { answer in
      let forms = screen.texts.answer(answer).forms
      return (screen.isWide ? forms.first : forms.last) ?? ""
    }
    let widths = words.map { screen.typesetter.cells($0).count + 2 }
    var free = max(0, screen.columns - widths.reduce(0, +))
    var column = 0
    for (place, answer) in all.enumerated() {
      let arrow = answer == chosen ? "→" : " "
      if screen.isWide {
        screen.put(answer.glyph, row: screen.rows - 1, column: column)
        screen.text(arrow, row: screen.rows - 1, column: column + 1)
      } else {
        screen.text(arrow, row: screen.rows - 1, column: column)
        screen.put(answer.glyph, row: screen.rows - 1, column: column + 1)
      }
      screen.text(words[place], row: screen.rows - 1, column: column + 2)
      let gap = screen.isWide && place + 1 < all.count ? (free + all.count - 2 - place) / (all.count - 1 - place) : 0
      free -= gap
      column += widths[place] + gap
    }
  }
}
