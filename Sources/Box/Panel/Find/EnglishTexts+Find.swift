extension EnglishTexts {
  func find(_ list: FindList) -> FittedText {
    switch list {
    case .nearMe: "Near me"
    case .popular: "Popular"
    case .genres: "Genres"
    case .countries: "Countries"
    case .letters: "Letters"
    case .start, .genre, .country, .names: ["Find stations", "Find"]
    }
  }

  var asksCountry: FittedText { ["Which country?", "Country?"] }
  var allNames: FittedText { "All names" }
  var letterBack: FittedText { "Back a letter" }

  func unwritable(_ place: Int) -> FittedText { "Station \(place)" }

  func directory(_ answer: FindAnswer?) -> FaultText {
    switch answer {
    case .absent(.unasked): FaultText("No directory yet", ["Press to download", "Press: download"])
    case .absent(.failed): FaultText(["Download failed", "Not downloaded"], "Press to retry")
    case .absent(.byHand): FaultText("No directory yet", "sudo bakelite find --update")
    case .fetching(let count):
      FaultText(["Downloading stations", "Downloading"], count == 0 ? "One moment" : "\(min(count, 999_999)) stations")
    case .damaged: FaultText(["Directory is damaged", "Directory broken"], ["Press to download", "Press: download"])
    case .opening, .rows, nil: FaultText(["Reading directory", "Reading"], "One moment")
    }
  }
}
