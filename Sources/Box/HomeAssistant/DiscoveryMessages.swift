import Framing
import RadioEngine

/// The MQTT discovery messages for Home Assistant: one retained message for each entity.
struct DiscoveryMessages {
  private let identity: DeviceIdentity
  private let topics: MqttTopics

  init(_ identity: DeviceIdentity, _ topics: MqttTopics) { (self.identity, self.topics) = (identity, topics) }

  func all(_ presets: PresetOptions) -> [MqttMessage] {
    [title, state, station(presets), volume]
      + [button("play", "Play", "mdi:play"), button("pause", "Pause", "mdi:pause")]
      + [button("next", "Next", "mdi:skip-next"), button("keep", "Keep song", "mdi:content-save-outline")]
      + [problem, fault]
  }

  // MARK: Sensors

  private var title: MqttMessage {
    var entity = entity("title", "Title", "mdi:music-note", showing: "title")
    entity.add("json_attributes_topic", topics.state)
    let attributes = ["artist", "track", "station"].map { "'\($0)': value_json.\($0)" }.joined(separator: ", ")
    entity.add("json_attributes_template", "{{ {\(attributes)} | tojson }}")
    return message("sensor", "title", entity)
  }

  private var state: MqttMessage {
    var entity = entity("state", "State", "mdi:radio", showing: "state")
    entity.add("device_class", "enum")
    entity.add("options", RadioSnapshot.State.allCases.map(\.rawValue))
    return message("sensor", "state", entity)
  }

  private var problem: MqttMessage {
    var entity = entity("problem", "Problem", nil, showing: "problem")
    entity.add("device_class", "problem")
    entity.add("payload_on", "ON")
    entity.add("payload_off", "OFF")
    entity.add("entity_category", "diagnostic")
    return message("binary_sensor", "problem", entity)
  }

  private var fault: MqttMessage {
    var entity = entity("fault", "Fault", "mdi:alert-circle-outline", showing: "fault")
    entity.add("entity_category", "diagnostic")
    return message("sensor", "fault", entity)
  }

  // MARK: Controls

  /// Returns the message for the list of presets. Without presets, the message is empty and removes the entity.
  private func station(_ presets: PresetOptions) -> MqttMessage {
    guard !presets.texts.isEmpty else { return MqttMessage(topic: topics.discovery("select", "station"), payload: "") }
    var entity = entity("station", "Station", "mdi:playlist-music", showing: "preset")
    entity.add("command_topic", topics.order("station"))
    entity.add("options", presets.texts)
    return message("select", "station", entity)
  }

  private var volume: MqttMessage {
    var entity = entity("volume", "Volume", "mdi:volume-high", showing: "volume")
    entity.add("command_topic", topics.order("volume"))
    entity.add("min", 0)
    entity.add("max", 100)
    entity.add("step", 1)
    entity.add("unit_of_measurement", "%")
    entity.add("mode", "slider")
    return message("number", "volume", entity)
  }

  private func button(_ object: String, _ name: String, _ icon: String) -> MqttMessage {
    var entity = entity(object, name, icon)
    entity.add("command_topic", topics.order(object))
    entity.add("payload_press", OrderReader.press)
    return message("button", object, entity)
  }

  // MARK: Common parts

  private func entity(_ object: String, _ name: String, _ icon: String?, showing value: String? = nil) -> JsonLine {
    var entity = JsonLine()
    entity.add("name", name)
    entity.add("unique_id", topics.uniqueID(object))
    if let icon { entity.add("icon", icon) }
    entity.add("availability_topic", topics.availability)
    if let value {
      entity.add("state_topic", topics.state)
      entity.add("value_template", "{{ value_json.\(value) }}")
    }
    return entity
  }

  private func message(_ component: String, _ object: String, _ entity: JsonLine) -> MqttMessage {
    var entity = entity
    entity.add("device", device)
    entity.add("origin", origin)
    return MqttMessage(topic: topics.discovery(component, object), payload: entity.line)
  }

  private var device: JsonLine {
    var device = JsonLine()
    device.add("identifiers", ["bakelite_\(identity.id)"])
    device.add("name", identity.name)
    device.add("manufacturer", "Bakelite")
    if !identity.model.isEmpty { device.add("model", identity.model) }
    device.add("sw_version", identity.version)
    return device
  }

  private var origin: JsonLine {
    var origin = JsonLine()
    origin.add("name", "Bakelite")
    origin.add("sw_version", identity.version)
    return origin
  }
}
