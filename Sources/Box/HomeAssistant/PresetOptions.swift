import Framing

/// The presets as options with unique texts.
public struct PresetOptions: Equatable, Sendable {
  /// A text per preset, in order, up to a total size.
  public let texts: [String]

  /// Maximum length of an option; a state of Home Assistant has at most 255 characters.
  private static let maxLength = 240
  /// Maximum bytes of all texts, which limits the message.
  private static let room = 65_536

  /// Creates the options of presets with these names.
  public init(_ names: [String]) {
    var (texts, taken, room): ([String], Set<String>, Int) = ([], [], Self.room)
    for (place, name) in names.enumerated() {
      let clean = DisplayText.clean(name, characterLimit: Self.maxLength)
      // Home Assistant reads "None" as an unknown option.
      let own = clean.isEmpty || clean == "None" ? "Station \(place + 1)" : clean
      let text = taken.contains(own) ? "\(own) (\(place + 1))" : own
      room -= text.utf8.count
      // A repeated text would select another station.
      guard room >= 0, taken.insert(text).inserted else { break }
      texts.append(text)
    }
    self.texts = texts
  }

  func text(at place: Int) -> String? { texts.indices.contains(place) ? texts[place] : nil }

  /// Returns the position of the preset with a text, from 0; nil if unknown.
  public func place(of text: String) -> Int? { texts.firstIndex(of: text) }
}
