import Framing

/// The presets as options of a Home Assistant list. Each option has a unique text.
public struct PresetOptions: Equatable, Sendable {
  /// One text for each preset, in order. Presets that exceed the maximum size of all texts are left out.
  public let texts: [String]

  /// Maximum length of an option in characters. A state of Home Assistant has at most 255 characters.
  private static let maxLength = 240
  /// Maximum total size of all texts in bytes. The limit bounds the discovery message.
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

  /// Returns the position, from 0, of the preset with this text; nil if unknown.
  public func place(of text: String) -> Int? { texts.firstIndex(of: text) }
}
