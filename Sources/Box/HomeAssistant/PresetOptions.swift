import Framing

/// The presets as a list to choose from: each has a text of its own, whatever the owner calls them.
public struct PresetOptions: Equatable, Sendable {
  /// A text for each preset, in their order; of very many, the first.
  public let texts: [String]

  /// A state of Home Assistant has 255 characters at most.
  private static let longest = 240
  /// All texts together, so that the message stays small, in bytes.
  private static let room = 65_536

  /// The options of presets with these names.
  public init(_ names: [String]) {
    var (texts, taken, room): ([String], Set<String>, Int) = ([], [], Self.room)
    for (place, name) in names.enumerated() {
      let clean = DisplayText.clean(name, characterLimit: Self.longest)
      // Home Assistant takes the word for a choice that is not known.
      let own = clean.isEmpty || clean == "None" ? "Station \(place + 1)" : clean
      let text = taken.contains(own) ? "\(own) (\(place + 1))" : own
      room -= text.utf8.count
      // One that is taken even so would be another station.
      guard room >= 0, taken.insert(text).inserted else { break }
      texts.append(text)
    }
    self.texts = texts
  }

  /// The text of the preset at a place from 0; nil where there is none.
  func text(at place: Int) -> String? { texts.indices.contains(place) ? texts[place] : nil }

  /// The place of the preset with a text, from 0; nil where there is none.
  public func place(of text: String) -> Int? { texts.firstIndex(of: text) }
}
