import PanelWords

extension Language {
  var ownName: FittedText {
    switch self {
    case .english: ["English", "EN"]
    case .german: ["Deutsch", "DE"]
    }
  }
}
