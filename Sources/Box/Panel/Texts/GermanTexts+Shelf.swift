extension GermanTexts {
  var deletes: FittedText { "Löschen?" }

  func shelf(_ shelf: PanelShelf?) -> FaultText {
    switch shelf {
    case .reading, nil: FaultText(["Lese Aufnahmen", "Lese"], "Einen Moment")
    case .slow: FaultText(["Speicher ist langsam", "Langsam"], ["Lese noch immer", "Lese noch"])
    case .missing: FaultText("Keine Aufnahmen", ["Noch kein Ordner", "Kein Ordner"])
    case .unreadable: FaultText(["Ordner nicht lesbar", "Nicht lesbar"], "Speicher prüfen")
    case .recordings: FaultText("Keine Aufnahmen", "Noch nichts da")
    }
  }
}
