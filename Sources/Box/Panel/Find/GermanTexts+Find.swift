extension GermanTexts {
  func find(_ list: FindList) -> FittedText {
    switch list {
    case .nearMe: "In der Nähe"
    case .popular: "Beliebt"
    case .genres: "Genres"
    case .countries: "Länder"
    case .letters: "Buchstaben"
    case .start, .genre, .country, .names: "Sender suchen"
    }
  }

  var asksCountry: FittedText { "Welches Land?" }
  var allNames: FittedText { "Alle Namen" }
  var letterBack: FittedText { "Zeichen zurück" }

  func unwritable(_ place: Int) -> FittedText { "Sender \(place)" }

  func directory(_ answer: FindAnswer?) -> FaultText {
    switch answer {
    case .absent(.unasked): FaultText("Kein Verzeichnis", ["Drücken lädt es", "Drücken: laden"])
    case .absent(.failed): FaultText(["Laden gescheitert", "Nicht geladen"], "Drücken: erneut")
    case .absent(.byHand): FaultText("Kein Verzeichnis", "sudo bakelite find --update")
    case .fetching(let count):
      FaultText(["Lade Senderliste", "Lade Sender"], count == 0 ? "Einen Moment" : "\(min(count, 999_999)) Sender")
    case .damaged: FaultText(["Verzeichnis defekt", "Liste defekt"], "Drücken: laden")
    case .opening, .rows, nil: FaultText(["Lese Verzeichnis", "Lese"], "Einen Moment")
    }
  }
}
