import Directory
import Framing
import Settings

/// Explains an empty search result and suggests a correction.
struct FindMiss {
  let query: DirectoryQuery
  let copy: StationDirectory

  /// A sentence about the first part of the query that matches no station.
  var sentence: String {
    if let country = query.country, isMissing(DirectoryQuery(country: country)) { return self.country(country) }
    if let language = query.language, isMissing(DirectoryQuery(language: language)) {
      let hint = Self.hint(language, copy.languages(limit: 5_000))
      return "No station is in the language \(Self.quoted(language))\(hint) Use the whole English name, such as "
        + "german."
    }
    if let tag = query.tag, isMissing(DirectoryQuery(tag: tag)) {
      return "No station has the tag \(Self.quoted(tag))\(Self.hint(tag, copy.tags(limit: 50_000)))"
        + " --tag requires a whole tag; a word without an option also finds the start of a tag."
    }
    if let codec = query.codec, isMissing(DirectoryQuery(codec: codec)) {
      let known = copy.codecs(limit: 5).map { DisplayText.clean($0.name, characterLimit: 20) }.joined(separator: ", ")
      return "No station has a codec that starts with \(Self.quoted(codec)); the most frequent ones are \(known)."
    }
    let isWordsAlone = [query.country, query.language, query.tag, query.codec].allSatisfy { $0 == nil }
    return isWordsAlone || isMissing(DirectoryQuery(query.words))
      ? "No station of the directory has \(Self.quoted(query.words)); use fewer words, or only the start of each."
      : "No station matches all conditions together; omit a word or an option."
  }

  private func isMissing(_ query: DirectoryQuery) -> Bool { copy.search(query, limit: 1).total == 0 }

  private func country(_ typed: String) -> String {
    let (folded, countries) = (FoldedText(typed).description, copy.countries)
    func names(_ country: DirectoryCountry) -> String { FoldedText(country.name).description }
    let meant =
      Self.codes[folded].flatMap { code in countries.first { $0.code == code } }
      ?? (folded.isEmpty ? nil : countries.first { names($0).hasPrefix(folded) })
      ?? SpellingSuggestion.nearest(to: folded, of: countries.map(names)).flatMap { name in
        countries.first { names($0) == name }
      }
    let hint = meant.map { country in
      let name = DisplayText.clean(country.name, characterLimit: 60)
      return country.code.isEmpty ? name : "\(country.code) (\(name))"
    }
    return "There is no country \(Self.quoted(typed)) in the directory\(hint.map { "; did you mean \($0)?" } ?? ".")"
      + " Use a two-letter code, such as GB, or the English name."
  }

  /// Country codes by common names, folded like `FoldedText`.
  private static let codes = [
    "uk": "GB", "england": "GB", "britain": "GB", "great britain": "GB", "scotland": "GB", "wales": "GB",
    "usa": "US", "america": "US", "holland": "NL", "nederland": "NL", "deutschland": "DE", "osterreich": "AT",
    "schweiz": "CH", "suisse": "CH", "svizzera": "CH", "italia": "IT", "espana": "ES", "polska": "PL", "brasil": "BR",
    "belgie": "BE", "belgique": "BE", "czech republic": "CZ", "danmark": "DK", "sverige": "SE", "norge": "NO",
    "suomi": "FI", "uae": "AE", "eire": "IE", "hellas": "GR", "magyarorszag": "HU", "turkiye": "TR",
  ]

  /// Suggests the most frequent term with the prefix `typed`, otherwise the nearest one. `terms`: most frequent first.
  private static func hint(_ typed: String, _ terms: [DirectoryTerm]) -> String {
    let folded = FoldedText(typed).description
    let begun = folded.isEmpty ? nil : terms.first { FoldedText($0.name).description.hasPrefix(folded) }?.name
    guard let name = begun ?? SpellingSuggestion.nearest(to: typed, of: terms.map(\.name)) else { return "." }
    return "; did you mean \(quoted(name))?"
  }

  private static func quoted(_ text: String) -> String { "\"\(DisplayText.clean(text, characterLimit: 60))\"" }
}
