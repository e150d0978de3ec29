@testable import HomeAssistant

/// Converts any message from a broker to a command, or ignores it.
final class HomeOrders: FuzzTarget {
  static let name = "home-order"
  static let seeds: [[UInt8]] = [
    [1, 0] + Array("PRESS".utf8), [1, 4] + Array("42.5".utf8), [1, 6] + Array("One \"2\"".utf8),
    [1, 7] + Array("online".utf8), [0, 8] + Array("online".utf8),
    [0, 9, 20] + Array("bakelite/x/set/play/PRESS".utf8),
  ]

  private static let identity = DeviceIdentity(machine: "fuzz", name: "", model: "", version: "")
  private let topics = MqttTopics(HomeOrders.identity, prefix: "homeassistant")

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let isRetained = !recipe.flag()
    let words = ["play", "pause", "next", "keep", "volume", "sleep", "station"].map { topics.order($0) }
    let topic = recipe.pick(words + [topics.birth, topics.state, recipe.text(60)])
    let payload = recipe.rest()
    let meaning = OrderReader(topics).meaning(of: topic, payload, isRetained: isRetained)
    switch meaning {
    case nil: return
    case .birth: expect(topic == topics.birth && payload == Array("online".utf8), "a birth is Home Assistant's word")
    case .order(let order):
      expect(!isRetained && topics.word(of: topic) != nil, "an order is new, and on a topic of its own")
      check(order, payload)
    }
  }

  private func check(_ order: HomeOrder, _ payload: [UInt8]) {
    switch order {
    case .power(let isOn): expect(payload == Array((isOn ? "ON" : "OFF").utf8), "power is on or off")
    case .play, .pause, .stop, .next, .keep: expect(payload == Array(OrderReader.press.utf8), "a button is pressed")
    case .volume(let percent): expect((0...100).contains(percent), "a volume has its range")
    case .sleep(let minutes): expect((0...1_440).contains(minutes), "a sleep timer has its range")
    case .station(let text):
      expect(Array(text.utf8) == payload && (1...OrderReader.maxLength).contains(payload.count), "a text is as it came")
      let options = PresetOptions([text, text, "None", ""])
      expect(Set(options.texts).count == options.texts.count, "no two presets have one text")
      for (place, option) in options.texts.enumerated() {
        expect(options.place(of: option) == place && !option.isEmpty, "each text leads to its preset")
      }
    }
  }
}

/// Splits any bytes from a broker into packets before libmosquitto reads them: independent of the pieces, and limited
/// in size.
final class BrokerPackets: FuzzTarget {
  static let name = "broker-packets"
  static let seeds: [[UInt8]] = [
    [0, 0, 0x20, 2, 0, 0, 0x90, 3, 0, 1, 0, 0x30, 5, 0, 1, 0x61, 0x62, 0x63, 0xD0, 0],
    [1, 1, 0x20, 2, 0, 0, 0x31, 0x80, 0x80, 1], [0, 2, 0x30, 0xFF, 0xFF, 0xFF, 0x7F],
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    var cuts = Recipe(recipe.take(8).span)
    let stream = recipe.rest()
    let whole = Self.read(stream, [0..<stream.count])
    let cut = Self.read(stream, cuts.pieces(of: stream.count))
    expect(whole.fault == cut.fault, "what is refused is refused however it is cut")
    if whole.fault == nil {
      expect(whole.packets == cut.packets && whole.missing == cut.missing, "packets are the same however they are cut")
    }
    expect(whole.missing <= PacketFilter.maxLength, "no packet is too long")
  }

  private static func read(
    _ stream: [UInt8], _ pieces: [Range<Int>]
  ) -> (packets: Int, missing: Int, fault: BrokerFault?) {
    var filter = PacketFilter()
    do throws(BrokerFault) {
      for piece in pieces { try filter.pass(stream[piece]) }
      return (filter.packets, filter.missing, nil)
    } catch { return (filter.packets, filter.missing, error) }
  }
}
