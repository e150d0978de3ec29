import Foundation
import TestSupport
import Testing
import Units

@testable import Web

/// Health reports for monitors (W5).
@Suite struct HealthTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let status: [String]
    let condition: HealthCondition
    var testDescription: String { status.joined(separator: ", ") }

    init(_ status: String..., condition: HealthCondition) { (self.status, self.condition) = (status, condition) }
  }

  static let cases: [Case] = [
    Case("state: playing", "audible: 1", condition: .good("playing")),
    Case("state: connecting", "audible: 1", "error: It is silent.", condition: .good("connecting")),
    Case(
      "state: buffering", "audible: 0", "error: It is silent.",
      condition: .bad("buffering", reason: "No sound comes.", told: "It is silent.")),
    Case("state: playing", "audible: 0", "muted: 1", condition: .good("muted")),
    Case("state: playing", "audible: 0", "muted: 0", condition: .bad("playing", reason: "No sound comes.")),
    Case("state: paused", "audible: 0", condition: .good("paused")),
    Case("state: stopped", condition: .good("stopped")), Case("", condition: .good("stopped")),
    Case(
      "state: stopped", "error: There is no such host.", "fault: noSuchHost",
      condition: .bad("stopped", reason: "No sound comes: no such host.", told: "There is no such host.")),
    Case("state: connecting", condition: .bad("connecting", reason: "No sound comes.")),
    Case("state: buffering", "muted: 1", condition: .bad("buffering", reason: "No sound comes.")),
    Case(
      "state: connecting", "error: It is silent.",
      condition: .bad("connecting", reason: "No sound comes.", told: "It is silent.")),
    Case("state: playing", "audible: 1", "standby: 1", condition: .good("off")),
    Case("state: paused", "suspended: 1", "suspended_for: 5.000", condition: .good("suspended")),
    Case("state: paused", "suspended: 1", "suspended_by: AirPlay", condition: .good("suspended")),
    Case("state: paused", "suspended: 1", condition: .bad("suspended", reason: "The sound device is missing.")),
    Case(
      "state: paused", "suspended: 1", "error: No card.",
      condition: .bad("suspended", reason: "The sound device is missing.", told: "No card.")),
    Case("state: stopped", "room_connected: 1", condition: .good("room")),
    Case(
      "room_connected: 0", condition: .bad("room", reason: "The room is not connected to its snapserver.")),
    Case(
      "room_connected: 0", "problem: Nobody answers.",
      condition: .bad("room", reason: "The room is not connected to its snapserver.", told: "Nobody answers.")),
  ]

  @Test("A status decides the health of playback (W5)", arguments: cases)
  func conditions(_ example: Case) {
    let lines = example.status.compactMap { AnswerLine($0) }
    #expect(HealthCondition(StatusSnapshot(lines, preset: nil)) == example.condition)
  }

  @Test("A missing radio is unhealthy") func absent() {
    #expect(HealthCondition(nil) == .bad("absent", reason: "No radio answers."))
  }

  @Test("Audio must be missing for 5 s since it was last seen, and is healthy at once")
  func patience() {
    let at = { MonotonicTime(milliseconds: $0) }
    var watch = HealthWatch(at: at(0))
    #expect(watch.reason(at: at(4_999)) == nil && watch.reason(at: at(5_000)) == "No radio answers.")
    watch.update(.good("playing"), at: at(10_000))
    #expect(watch.reason(at: at(100_000)) == nil && watch.json(at: at(0)).line == #"{"state":"playing"}"#)
    watch.update(.good("playing"), at: at(20_000))
    watch.update(.bad("connecting", reason: "A."), at: at(20_400))
    #expect(watch.reason(at: at(24_999)) == nil && watch.reason(at: at(25_000)) == "A.")
    watch.update(.bad("buffering", reason: "B."), at: at(24_000))
    #expect(watch.reason(at: at(25_000)) == "B.")
    #expect(watch.json(at: at(25_000)).line == #"{"state":"buffering","reason":"B."}"#)
    watch.update(.good("stopped"), at: at(26_000))
    #expect(watch.reason(at: at(26_000)) == nil)
    // The state was good until at most a second before: an idle radio is checked rarely.
    watch.update(.bad("connecting", reason: "C."), at: at(36_000))
    #expect(watch.reason(at: at(39_999)) == nil && watch.reason(at: at(40_000)) == "C.")
  }

  @Test("A monitor sees 200, then 503 with the reason after 5 s of silence, then 200 (W5)")
  func overHttp() async throws {
    try await Stage.run(speed: 5) {
      let bench = try WebBench()
      let browser = try bench.browser(signsIn: false)
      let health = { try browser.request("GET", "/health") }
      #expect(try bench.waits { try health().text == #"{"state":"playing"}"# })
      bench.radio?.set {
        $0.status = ["state: connecting", "audible: 0", "error: The station does not answer.", "fault: noAnswer"]
      }
      let start = monotonicSeconds()
      bench.radio?.note("player")
      #expect(try bench.waits { try health().text.contains(#""state":"connecting""#) })
      if monotonicSeconds() - start < 3 { #expect(try health().status == 200) }
      #expect(try bench.waits { try health().status == 503 })
      #expect(monotonicSeconds() - start > 3.9)
      #expect(try health().text == #"{"state":"connecting","reason":"No sound comes: no answer."}"#)
      let owner = try bench.browser().request("GET", "/health")
      #expect(owner.text == #"{"state":"connecting","reason":"The station does not answer."}"#, "who signed in")
      bench.radio?.set { $0.status = ["state: playing", "audible: 1"] }
      bench.radio?.note("player")
      #expect(try bench.waits { try health().status == 200 })
      bench.stopRadio()
      #expect(try bench.waits { try health().text == #"{"state":"absent","reason":"No radio answers."}"# })
      try bench.restartRadio()
      #expect(try bench.waits { try health().status == 200 })
    }
  }

  @Test("Metrics are in Prometheus format, without titles and addresses (W5)")
  func metrics() throws {
    let lines = [
      "state: playing", "audible: 1", "volume: 30", "held: 12.345", "bitrate: 128", "underruns: 2", "lost: 0.250",
      "rss_anon: 9000", "version: 0.1.0", "codec: MP3\"}\n", "title: secret", "stream_url: http://secret/", "xruns: x",
    ].map { AnswerLine(String($0.prefix { $0 != ":" }), String($0.drop { $0 != ":" }.dropFirst(2))) }
    let text = MetricsText(StatusSnapshot(lines, preset: 1), state: "playing", isHealthy: true, pages: 3).text
    for line in [
      "bakelite_up 1", "bakelite_healthy 1", "bakelite_state{state=\"playing\"} 1", "bakelite_state{state=\"off\"} 0",
      "bakelite_web_pages 3", "bakelite_info{version=\"0.1.0\",codec=\"MP3\"} 1", "bakelite_audible 1",
      "bakelite_volume_percent 30", "bakelite_held_seconds 12.345", "bakelite_bit_rate_bits_per_second 128000",
      "bakelite_underruns_total 2", "bakelite_lost_seconds_total 0.25", "bakelite_radio_memory_bytes 9216000",
      "# TYPE bakelite_underruns_total counter", "# TYPE bakelite_held_seconds gauge",
    ] { #expect(text.contains(line + "\n"), "\(line)") }
    #expect(!text.contains("secret") && !text.contains("xruns"))
    let names = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
    #expect(Set(names).count == names.count && text.hasSuffix("\n"))
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.wholeMatch(of: /[a-z_]+(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? -?[0-9.]+/) != nil, "\(line)")
    }
    let absent = MetricsText(nil, state: "absent", isHealthy: false, pages: 0).text
    #expect(absent.contains("bakelite_up 0\n") && absent.contains("bakelite_state{state=\"absent\"} 1\n"))
    #expect(!absent.contains("held"))
  }
}
