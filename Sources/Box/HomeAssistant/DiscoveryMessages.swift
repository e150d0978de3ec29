import Framing
import RadioEngine

/// The MQTT discovery messages for Home Assistant: one retained message for each entity.
struct DiscoveryMessages {
  private let identity: DeviceIdentity
  private let topics: MqttTopics

  init(_ identity: DeviceIdentity, _ topics: MqttTopics) { (self.identity, self.topics) = (identity, topics) }

  func all(_ presets: PresetOptions) -> [MqttMessage] {
    [title, state, station(presets), volume, power, sleep]
      + [button("play", "Play", "mdi:play"), button("pause", "Pause", "mdi:pause"), button("stop", "Stop", "mdi:stop")]
      + [button("next", "Next", "mdi:skip-next"), button("keep", "Keep song", "mdi:content-save-outline")]
      + [problem, fault, source]
  }

  // MARK: Sensors

  private var title: MqttMessage {
    message(
      "sensor", "title", "Title", "mdi:music-note", showing: "title",
      attributes(["artist": "artist", "track": "track", "station": "station"]))
  }

  /// The source that replaces the station.
  private var source: MqttMessage {
    message(
      "sensor", "source", "Fallback", "mdi:swap-horizontal", showing: "source",
      attributes([
        "instead_of": "source_instead_of", "reason": "source_reason", "since": "source_since",
        "next_attempt": "source_next",
      ]))
  }

  /// Returns the members for attributes. `names`: the attributes, with their keys in the state.
  private func attributes(_ names: KeyValuePairs<String, String>) -> KeyValuePairs<String, any JsonMember> {
    let list = names.map { "'\($0.key)': value_json.\($0.value)" }.joined(separator: ", ")
    return ["json_attributes_topic": topics.state, "json_attributes_template": "{{ {\(list)} | tojson }}"]
  }

  private var state: MqttMessage {
    message(
      "sensor", "state", "State", "mdi:radio", showing: "state",
      ["device_class": "enum", "options": RadioSnapshot.State.allCases.map(\.rawValue)])
  }

  private var problem: MqttMessage {
    message(
      "binary_sensor", "problem", "Problem", nil, showing: "problem",
      ["device_class": "problem", "payload_on": "ON", "payload_off": "OFF", "entity_category": "diagnostic"])
  }

  private var fault: MqttMessage {
    message(
      "sensor", "fault", "Fault", "mdi:alert-circle-outline", showing: "fault", ["entity_category": "diagnostic"])
  }

  // MARK: Controls

  /// Returns the message for the list of presets. Without presets, the message is empty and removes the entity.
  private func station(_ presets: PresetOptions) -> MqttMessage {
    guard !presets.texts.isEmpty else { return MqttMessage(topic: topics.discovery("select", "station"), payload: "") }
    return message(
      "select", "station", "Station", "mdi:playlist-music", showing: "preset",
      ["command_topic": topics.order("station"), "options": presets.texts])
  }

  private var volume: MqttMessage {
    message(
      "number", "volume", "Volume", "mdi:volume-high", showing: "volume",
      [
        "command_topic": topics.order("volume"), "min": 0, "max": 100, "step": 1, "unit_of_measurement": "%",
        "mode": "slider",
      ])
  }

  private var power: MqttMessage {
    message("switch", "power", "Power", "mdi:power", showing: "power", ["command_topic": topics.order("power")])
  }

  private var sleep: MqttMessage {
    message(
      "number", "sleep", "Sleep timer", "mdi:power-sleep", showing: "sleep",
      [
        "command_topic": topics.order("sleep"), "min": 0, "max": RadioSnapshot.maxSleepMinutes, "step": 1,
        "unit_of_measurement": "min", "mode": "box",
      ])
  }

  private func button(_ object: String, _ name: String, _ icon: String) -> MqttMessage {
    message(
      "button", object, name, icon,
      ["command_topic": topics.order(object), "payload_press": OrderReader.press])
  }

  // MARK: Common parts

  /// Returns the message for an entity. `others`: the members of its component.
  private func message(
    _ component: String, _ object: String, _ name: String, _ icon: String?, showing value: String? = nil,
    _ others: KeyValuePairs<String, any JsonMember>
  ) -> MqttMessage {
    var entity: JsonLine = ["name": name, "unique_id": topics.uniqueID(object)]
    if let icon { entity.add("icon", icon) }
    entity.add("availability_topic", topics.availability)
    if let value { entity.add(["state_topic": topics.state, "value_template": "{{ value_json.\(value) }}"]) }
    entity.add(others)
    entity.add(["device": device, "origin": origin])
    return MqttMessage(topic: topics.discovery(component, object), payload: entity.line)
  }

  private var device: JsonLine {
    var device: JsonLine = [
      "identifiers": ["bakelite_\(identity.id)"], "name": identity.name, "manufacturer": "Bakelite",
    ]
    if !identity.model.isEmpty { device.add("model", identity.model) }
    device.add("sw_version", identity.version)
    return device
  }

  private var origin: JsonLine { ["name": "Bakelite", "sw_version": identity.version] }
}
