import Foundation
import Testing

@testable import HomeAssistant

/// Discovery messages for Home Assistant (M2).
struct DiscoveryTests {
  @Test("Each entity is one retained message of its component, and all belong to one device (M2)")
  func entities() throws {
    let messages = Samples.discovery.all(PresetOptions(["One", "Two"]))
    let node = "bakelite_\(Samples.identity.id)"
    let expected = [
      "sensor/title", "sensor/state", "select/station", "number/volume", "switch/power", "number/sleep", "button/play",
      "button/pause", "button/stop", "button/next", "button/keep", "binary_sensor/problem", "sensor/fault",
      "sensor/source",
    ]
    let topics = expected.map { path in
      let parts = path.split(separator: "/")
      return "homeassistant/\(parts[0])/\(node)/\(parts[1])/config"
    }
    #expect(messages.map(\.topic) == topics)
    #expect(messages.allSatisfy { $0.isRetained })
    let objects = try messages.map(Samples.object)
    #expect(Set(objects.compactMap { $0["unique_id"] as? String }).count == expected.count)
    for object in objects {
      #expect(object["availability_topic"] as? String == "bakelite/\(Samples.identity.id)/availability")
      let device = try #require(object["device"] as? [String: Any])
      #expect(device["identifiers"] as? [String] == [node] && device["name"] as? String == "Kitchen")
      #expect(device["sw_version"] as? String == "1.2" && device["model"] as? String == "A board")
    }
  }

  @Test("Station names are published whole and unique, whatever they contain (M2)")
  func hostileNames() throws {
    let options = PresetOptions(Samples.hostileNames + Samples.hostileNames)
    let messages = Samples.discovery.all(options)
    #expect(options.texts.count == 2 * Samples.hostileNames.count)
    #expect(Set(options.texts).count == options.texts.count)
    let told = try Samples.object(messages[2])["options"] as? [String]
    #expect(told == options.texts)
    #expect(options.texts[0] == "a\"b\\c" && options.texts[1] == Samples.hostileNames[1])
    for (place, text) in options.texts.enumerated() {
      #expect(options.place(of: text) == place && (1...255).contains(text.unicodeScalars.count) && text != "None")
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }
    for message in messages { #expect(!message.topic.contains { "+#\0".contains($0) }) }
  }

  @Test("A choice of many presets stays small, and an empty one is removed")
  func bounds() throws {
    let many = PresetOptions((0..<5_000).map { "Station \($0) \(String(repeating: "x", count: 100))" })
    #expect((500..<700).contains(many.texts.count))
    #expect(Samples.discovery.all(many).map(\.payload.utf8.count).max() ?? 0 < 100_000)
    #expect(Samples.discovery.all(PresetOptions([]))[2].payload.isEmpty)
    #expect(PresetOptions([]).place(of: "") == nil)
  }

  @Test("A device is identified by a hash of its machine's id, different per machine")
  func identity() {
    let (one, other) = (Samples.identity.id, DeviceIdentity(machine: "n", name: "", model: "", version: "").id)
    // printf bakelite:m | sha256sum
    #expect(one == "e63a52a7685b")
    #expect(one != other && one.allSatisfy(\.isHexDigit) && other.count == 12)
    #expect(DeviceIdentity(machine: "n", name: "\u{1B}", model: "", version: "").name == "Bakelite")
    let own = DeviceIdentity.own(name: "", model: "", version: "")
    #expect(own == DeviceIdentity.own(name: "", model: "", version: "") && !own.name.isEmpty)
  }

  @Test("The radio's state is one object without unknown values (M2)")
  func state() throws {
    var radio = RadioSnapshot()
    let stopped = try Samples.object(Samples.states.state(radio))
    #expect(stopped["state"] as? String == "stopped" && stopped["title"] is NSNull && stopped["preset"] is NSNull)
    #expect(stopped["problem"] as? String == "OFF" && stopped["fault"] as? String == "none")
    (radio.state, radio.sleepMinutes) = (.playing, 30)
    (radio.station, radio.artist, radio.title, radio.volume) = ("FM \"1\"", "A\u{0}", "B\u{1B}[31m", 42)
    (radio.presets, radio.preset, radio.fault) = (PresetOptions(["x", "y"]), 1, "No network")
    let playing = try Samples.object(Samples.states.state(radio))
    #expect(playing["title"] as? String == "A - B[31m" && playing["artist"] as? String == "A")
    #expect(playing["preset"] as? String == "y" && playing["volume"] as? Int == 42)
    #expect(playing["station"] as? String == "FM \"1\"" && playing["sleep"] as? Int == 30)
    #expect(playing["problem"] as? String == "ON" && playing["fault"] as? String == "No network")
    #expect(playing["source"] as? String == "none" && playing["source_reason"] is NSNull)
    (radio.preset, radio.volume) = (2, 400)
    radio.title = String(repeating: "t", count: 9_999)
    let odd = try Samples.object(Samples.states.state(radio))
    #expect(odd["preset"] is NSNull && odd["volume"] as? Int == 100)
    #expect((odd["title"] as? String)?.count == 255)
  }

  @Test("The state has the source that replaces the station, and the entity its attributes (M2, F7)")
  func replacement() throws {
    var radio = RadioSnapshot()
    let name = "a\"b'}}{{ states('lock.door') }}\u{1B}[31m"
    radio.replacement = .init(source: name, station: "One", reason: String(repeating: "r", count: 9_999))
    radio.replacement?.since = "2026-11-27T13:59:57Z"
    radio.replacement?.nextAttempt = "now"
    let state = try Samples.object(Samples.states.state(radio))
    #expect(state["source"] as? String == name.replacing("\u{1B}", with: ""))
    #expect(state["source_instead_of"] as? String == "One" && (state["source_reason"] as? String)?.count == 255)
    #expect(state["source_since"] as? String == "2026-11-27T13:59:57Z" && state["source_next"] as? String == "now")
    let entity = try Samples.object(try #require(Samples.discovery.all(PresetOptions([])).last))
    #expect(entity["value_template"] as? String == "{{ value_json.source }}")
    let attributes = try #require(entity["json_attributes_template"] as? String)
    let expected = [
      "'instead_of': value_json.source_instead_of", "'reason': value_json.source_reason",
      "'since': value_json.source_since", "'next_attempt': value_json.source_next",
    ]
    #expect(attributes == "{{ {\(expected.joined(separator: ", "))} | tojson }}")
  }
}
