import PanelWords

extension Language {
  var texts: any DisplayTexts {
    switch self {
    case .english: EnglishTexts()
    case .german: GermanTexts()
    }
  }
}
