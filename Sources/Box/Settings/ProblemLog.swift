/// What was found while a file was read.
final class ProblemLog {
  /// The file's path, for sentences.
  let file: String
  private var errors: [SettingsError] = []
  /// Every key that was asked for, and what it may be, in the order of asking, where that is kept.
  private(set) var rules: [(key: String, allowed: String)] = []

  /// More are not kept: nobody reads them.
  static let most = 100

  private let keepsRules: Bool
  /// Whether sentences may repeat what the file says; stations and settings hold secrets, boards do not.
  let showsValues: Bool

  init(_ file: String, keepsRules: Bool = false, showsValues: Bool = false) {
    self.file = file
    self.keepsRules = keepsRules
    self.showsValues = showsValues
  }

  /// How many errors were found, those counted that were not kept.
  private(set) var count = 0

  var isFull: Bool { errors.count >= Self.most }

  /// In order of place.
  var all: [SettingsError] {
    errors.enumerated().sorted { first, second in
      (first.element.line ?? 0, first.offset) < (second.element.line ?? 0, second.offset)
    }.map(\.element)
  }

  func add(line: Int, _ problem: String) { add(SettingsError(file, line: line, problem)) }
  func add(_ error: SettingsError) {
    count += 1
    if !isFull { errors.append(error) }
  }
  func note(_ key: String, _ allowed: String) { if keepsRules { rules.append((key, allowed)) } }
}
