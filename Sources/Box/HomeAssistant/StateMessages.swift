import Framing
import RadioEngine

/// The messages about the radio: its state as one JSON object for all entities, and its availability.
struct StateMessages {
  private let topics: MqttTopics

  init(_ topics: MqttTopics) { self.topics = topics }

  /// Maximum length of a Home Assistant state in characters.
  private static let maxLength = 255

  /// Returns the state message. The broker retains this message for the next start of Home Assistant.
  func state(_ radio: RadioSnapshot) -> MqttMessage {
    let (artist, track) = (Self.clean(radio.artist), Self.clean(radio.title))
    let preset = radio.preset.flatMap { radio.presets.text(at: $0) }
    let title = Self.clean([artist, track].compactMap(\.self).joined(separator: " - "))
    var line: JsonLine = [
      "state": radio.state.rawValue, "power": radio.state == .standby ? "OFF" : "ON",
      "station": Self.clean(radio.station), "preset": preset, "title": title,
      "artist": artist, "track": track, "volume": max(0, min(100, radio.volume)),
      "sleep": max(0, min(RadioSnapshot.maxSleepMinutes, radio.sleepMinutes)),
      "problem": radio.fault == nil ? "OFF" : "ON", "fault": radio.fault.flatMap(Self.clean) ?? "none",
    ]
    let replacement = radio.replacement
    line.add([
      "source": replacement.flatMap { Self.clean($0.source) } ?? "none",
      "source_instead_of": replacement.flatMap { Self.clean($0.station) },
      "source_reason": replacement.flatMap { Self.clean($0.reason) },
      "source_since": replacement?.since, "source_next": replacement?.nextAttempt,
    ])
    return MqttMessage(topic: topics.state, payload: line.line)
  }

  func availability(_ isThere: Bool) -> MqttMessage {
    MqttMessage(topic: topics.availability, payload: isThere ? "online" : "offline")
  }

  private static func clean(_ text: String) -> String? {
    let clean = DisplayText.clean(text, characterLimit: maxLength)
    return clean.isEmpty ? nil : clean
  }
}
