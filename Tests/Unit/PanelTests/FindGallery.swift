import Panel

extension Gallery {
  static let findScenes: [Scene] = [
    (
      "find", .playing,
      {
        $0.press(.menu, .select); $0.step(1)
      }
    ),
    (
      "find, near me", .playing,
      {
        $0.press(.menu, .select, .select); $0.step(1)
      }
    ),
    (
      "find, the end", .playing,
      {
        $0.press(.menu, .select, .next, .select); $0.step(-2)
      }
    ),
    (
      "find, no country", .playing,
      {
        $0.directory = { SampleDirectory.answer($0, country: nil) }
        $0.press(.menu, .select, .select)
      }
    ),
    (
      "find, genres", .playing,
      {
        $0.press(.menu, .select); $0.step(2); $0.press(.select); $0.step(2)
      }
    ),
    (
      "find, countries", .playing,
      {
        $0.press(.menu, .select); $0.step(3); $0.press(.select)
      }
    ),
    (
      "find, letters", .playing,
      {
        $0.press(.menu, .select); $0.step(4); $0.press(.select); $0.step(1)
      }
    ),
    (
      "find, more letters", .playing,
      {
        $0.press(.menu, .select); $0.step(4); $0.press(.select); $0.step(1); $0.press(.select, .select); $0.step(-1)
      }
    ),
    (
      "find, opening", .playing,
      {
        $0.directory = { _ in .opening }
        $0.press(.menu, .select, .select)
      }
    ),
    (
      "find, no directory", .playing,
      {
        $0.directory = { _ in .absent(.unasked) }
        $0.press(.menu, .select)
      }
    ),
    (
      "find, by hand", .playing,
      {
        $0.directory = { _ in .absent(.byHand) }
        $0.press(.menu, .select)
      }
    ),
    (
      "find, fetching", .playing,
      {
        $0.directory = { _ in .fetching(stations: 12_345) }
        $0.press(.menu, .select)
      }
    ),
    (
      "find, damaged", .playing,
      {
        $0.directory = { _ in .damaged }
        $0.press(.menu, .select)
      }
    ),
    (
      "find, kept", .playing,
      {
        $0.press(.menu, .select, .select); $0.step(1)
        $0.panel.announce(.preset(number: 13, name: "Bayern 3"), at: $0.now)
      }
    ),
  ]
}
