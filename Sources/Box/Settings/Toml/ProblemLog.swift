/// The faults that are found while a file is read.
final class ProblemLog {
  let file: String
  private var errors: [SettingsError] = []
  /// The requested keys in order, each with its allowed values. Empty if `keepsRules` is false.
  private(set) var rules: [(key: String, allowed: String)] = []

  static let maxCount = 100

  /// The faults that cost only a part of a station, not the station; also in `all`.
  private(set) var leftOut: [SettingsError] = []
  /// Number of all left-out parts, including those that are not stored.
  private(set) var leftOutCount = 0
  private var leavesOut = false
  /// The secrets whose files are read.
  let secrets: SecretCheck

  /// The unusable values that were replaced by their defaults. Empty if `replacesValues` is false.
  private(set) var replaced: [ReplacedSetting] = []
  /// True if unusable values are replaced for keys that concern neither sound nor safety (I3).
  private let replacesValues: Bool
  private let keepsRules: Bool
  /// True if messages may repeat values from the file. Board files contain no secrets; station files and settings may
  /// contain secrets.
  let showsValues: Bool

  init(
    _ file: String, keepsRules: Bool = false, showsValues: Bool = false, replacesValues: Bool = false,
    secrets: SecretCheck = .none
  ) {
    self.file = file
    self.secrets = secrets
    self.replacesValues = replacesValues
    self.keepsRules = keepsRules
    self.showsValues = showsValues
  }

  /// Number of all faults, including faults that are not stored.
  private(set) var count = 0

  var isFull: Bool { errors.count >= Self.maxCount }

  var all: [SettingsError] {
    errors.enumerated().sorted { first, second in
      (first.element.line ?? 0, first.offset) < (second.element.line ?? 0, second.offset)
    }.map(\.element)
  }

  func add(line: Int, _ problem: String) { add(SettingsError(file, line: line, problem)) }

  func add(_ error: SettingsError) {
    if leavesOut { return leaveOut(error) }
    count += 1
    if !isFull { errors.append(error) }
  }

  /// Adds a fault that costs only a part of a station.
  func leaveOut(_ error: SettingsError) {
    leftOutCount += 1
    guard !isFull else { return }
    errors.append(error)
    leftOut.append(error)
  }

  /// Reads with `body`. All faults found by `body` cost only a part of a station.
  func leavingOut<Result>(_ body: () -> Result) -> Result {
    leavesOut = true
    defer { leavesOut = false }
    return body()
  }

  /// Records that the default replaces an unusable value. Returns false if values are not replaced.
  func replace(_ key: String, line: Int, _ rule: String) -> Bool {
    guard replacesValues else { return false }
    let error = SettingsError(file, line: line, "\(key) \(rule); the default counts until this is corrected")
    replaced.append(ReplacedSetting(key: key, error: error))
    return true
  }

  func recordRule(_ key: String, _ allowed: String) { if keepsRules { rules.append((key, allowed)) } }
}
