import Framing
import Network
import Settings
import System
import Units

/// The words of `play`: addresses, files, and stations of the user's list.
struct PlayPlaces {
  enum Place {
    case address(String)
    case station(StationList.Entry)
  }

  /// A word that names no station, or several.
  struct Unknown: CommandFault {
    let outcome = Outcome.wrongUse
    let sentence: String
  }

  private(set) var all: [Place] = []
  /// The user's list, if a word may name one of its stations.
  var favourites: [StationList.Entry] { lookup.entries }
  private let lookup: StationLookup

  /// Finds the places. Words that together name one station are this station. Throws if a word is neither an address
  /// nor a file nor a station.
  init(_ words: [String], _ list: () -> StationList? = { UserStations.list }) throws {
    let isListed = words.map { !$0.contains("://") && !isFile($0) }
    guard isListed.contains(true) else {
      lookup = StationLookup([])
      all = words.map { .address($0) }
      return
    }
    lookup = StationLookup(list()?.entries ?? [])
    let areNames = zip(words, isListed).allSatisfy { $1 && Self.looksLikeName($0) && Int($0) == nil }
    if words.count > 1, areNames, case .one(let entry) = lookup.find(words.joined(separator: " ")) {
      all = [.station(entry)]
      return
    }
    all = try zip(words, isListed).map { word, isListed in isListed ? try place(of: word) : .address(word) }
  }

  private func place(of word: String) throws -> Place {
    if let entry = lookup.exact(word) { return .station(entry) }
    guard Self.looksLikeName(word) else { return .address(word) }
    switch lookup.find(word) {
    case .one(let entry): return .station(entry)
    case .several(let entries): throw Unknown(sentence: Self.sentence(word, entries))
    case .none: throw Unknown(sentence: sentence(unknown: word))
    }
  }

  /// Returns true for a text that can be a station's name, and is neither an address nor a file's path.
  static func looksLikeName(_ text: String) -> Bool {
    if text.isEmpty || text.hasPrefix(".") || text.contains("/") { return false }
    if StationOptionGroup.hasFileEnding(text) { return false }
    return StationOptionGroup.looksLikePath(text) || text.contains(" ")
  }

  private func sentence(unknown word: String) -> String {
    let start = "There is no station \(Self.quoted(word)), and no file \(DisplayText.clean(absolutePath(word)))"
    if lookup.entries.isEmpty { return "\(start). You have no stations yet: `bakelite find WORDS --add 1` adds one." }
    if let name = lookup.nearest(to: word) { return "\(start); did you mean \(Self.quoted(name))?" }
    return "\(start); `bakelite` lists your stations."
  }

  private static func sentence(_ word: String, _ entries: [StationList.Entry]) -> String {
    let shown = entries.prefix(maxCandidates).map { "\($0.number) \(quoted($0.station.name))" }
    let others = entries.count > maxCandidates ? " and \(entries.count - maxCandidates) others" : ""
    return "\(quoted(word)) fits \(entries.count) stations: \(shown.joined(separator: ", "))\(others). "
      + "Type more of the name, or the number."
  }

  private static let maxCandidates = 8

  private static func quoted(_ text: String) -> String { "\"\(DisplayText.clean(text, characterLimit: 60))\"" }
}
