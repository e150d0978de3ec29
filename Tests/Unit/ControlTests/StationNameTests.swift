import Network
import Testing

@testable import Control

/// The stations that `radio_tune` and `radio_select` choose by a text.
@Suite struct StationNameTests {
  private static let names = ["3", "FIP", "FIP Jazz", "Jazz Radio", "77"]

  @Test(
    "A station is chosen by number, name, start of the name, or starts of its words",
    arguments: [
      ("3", "FIP Jazz"), ("77", "77"), ("fip", "FIP"), ("fip j", "FIP Jazz"), ("jazz r", "Jazz Radio"),
      ("radio", "Jazz Radio"), ("1", "3"),
    ])
  func selects(_ text: String, _ name: String) throws {
    for hasPresets in [true, false] {
      let bench = try Bench()
      let presets = Self.names.map { Preset(name: $0, request: StationRequest(url: "http://radio.example/")) }
      if hasPresets { bench.player.setPresets(PresetList(presets, changed: 0)) }
      bench.player.fill(with: presets)
      #expect(bench.client().ask("radio_select \"\(text)\"") == "OK\n")
      #expect(bench.player.current?.name == name)
    }
  }

  @Test("An ambiguous text is refused with the candidates, an unknown one with advice")
  func refuses() throws {
    let bench = try Bench()
    let presets = Self.names.map { Preset(name: $0, request: StationRequest(url: "http://radio.example/")) }
    bench.player.setPresets(PresetList(presets, changed: 0))
    let client = bench.client()
    #expect(
      client.ask("radio_select fi")
        == "ACK [2@0] {radio_select} 2 stations fit: 2 FIP, 3 FIP Jazz; give more of the name.\n")
    for text in ["rock", "78", "0", "-1", "…"] {
      #expect(client.ask("radio_select \(text)").hasPrefix("ACK [50@0] {radio_select} There is no such station;"))
    }
  }
}
