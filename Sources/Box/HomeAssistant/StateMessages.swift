import Framing
import RadioEngine

/// The messages by which the radio tells what it does: one JSON object that all entities read, and whether it is there.
struct StateMessages {
  private let topics: MqttTopics

  init(_ topics: MqttTopics) { self.topics = topics }

  /// A state of Home Assistant has so many characters at most.
  private static let longest = 255

  /// What the radio does. The broker keeps it, so that Home Assistant knows it at once when it starts.
  func state(_ radio: RadioSnapshot) -> MqttMessage {
    let (artist, track) = (Self.clean(radio.artist), Self.clean(radio.title))
    let preset = radio.preset.flatMap { radio.presets.text(at: $0) }
    var line = JsonLine()
    line.add("state", radio.state.rawValue)
    line.add("station", Self.clean(radio.station))
    line.add("preset", preset)
    line.add("title", Self.clean([artist, track].compactMap(\.self).joined(separator: " - ")))
    line.add("artist", artist)
    line.add("track", track)
    line.add("volume", max(0, min(100, radio.volume)))
    line.add("problem", radio.fault == nil ? "OFF" : "ON")
    line.add("fault", radio.fault.flatMap(Self.clean) ?? "none")
    return MqttMessage(topic: topics.state, payload: line.line)
  }

  /// Whether the radio is there.
  func availability(_ isThere: Bool) -> MqttMessage {
    MqttMessage(topic: topics.availability, payload: isThere ? "online" : "offline")
  }

  /// What Home Assistant can show of a text; nil where that is nothing.
  private static func clean(_ text: String) -> String? {
    let clean = DisplayText.clean(text, characterLimit: longest)
    return clean.isEmpty ? nil : clean
  }
}
