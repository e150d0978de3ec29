/// The progress of an update of the directory's copy, for the radio that requested the update.
public enum UpdateProgress: Equatable, Sendable {
  /// The list is being received: number of stations so far.
  case running(stations: Int)
  /// The new copy is complete.
  case ready
  /// The update failed, with the reason as a sentence.
  case failed(String)

  /// Maximum length of the text in bytes.
  static let maxLength = 1_024

  /// Parses a text of the file; nil if malformed.
  init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("running", 2):
      guard let count = Int(parts[1]), count >= 0 else { return nil }
      self = .running(stations: count)
    case ("ready", 1): self = .ready
    case ("failed", 2): self = .failed(parts[1])
    default: return nil
    }
  }

  /// The text of the file, at most 1,024 bytes.
  var text: String {
    switch self {
    case .running(let count): return "running \(count)"
    case .ready: return "ready"
    case .failed(let sentence):
      let line = sentence.split(whereSeparator: \.isNewline).joined(separator: " ")
      var text = ""
      for character in "failed \(line)" {
        guard text.utf8.count + character.utf8.count <= Self.maxLength else { break }
        text.append(character)
      }
      return text
    }
  }
}
