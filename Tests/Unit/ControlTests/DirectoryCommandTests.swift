import Testing

@testable import Control

/// The state, the update and the lists of the station directory (W1).
@Suite struct DirectoryCommandTests {
  private final class FakeUpdates: DirectoryControl {
    var update: DirectoryUpdateState?
    var country: String?
    var requestCount = 0
    var isExpected = false

    func requestUpdate() throws(ControlRefusal) {
      guard requestCount == 0 else { throw ControlRefusal(.exists, "Wait") }
      requestCount += 1
      update = .requested
    }

    func expectCopy() { isExpected = true }
  }

  private let updates = FakeUpdates()

  private func bench() throws -> Bench {
    let bench = try SampleDirectory.bench()
    bench.context.use(updates: updates)
    return bench
  }

  @Test("The state has the update's progress, and the facts of the copy (W1)")
  func state() throws {
    let bench = try bench()
    let client = bench.client()
    let copy = "stations: 10\ndate: 2023-11-14T22:13:20Z\nOK\n"
    #expect(client.ask("radio_directory") == "state: ready\n" + copy && !updates.isExpected)
    for (state, lines) in [
      (.requested, "state: requested\n"), (.running(stations: 7), "state: running\nreceived: 7\n"),
      (.failed("No network."), "state: failed\nproblem: No network.\n"), (.ready, "state: ready\n"),
    ] as [(DirectoryUpdateState, String)] {
      updates.update = state
      #expect(client.ask("radio_directory") == lines + copy)
    }
  }

  @Test("Without a copy the reply has no date, and a request is accepted once (W1)")
  func absent() throws {
    let bench = try Bench()
    bench.context.use(updates: updates)
    let client = bench.client()
    #expect(client.ask("radio_directory") == "state: none\nOK\n" && updates.isExpected)
    #expect(client.ask("radio_directory update") == "state: requested\nOK\n" && updates.requestCount == 1)
    #expect(client.ask("radio_directory update") == "ACK [56@0] {radio_directory} Wait\n")
    #expect(client.ask("radio_directory fetch") == "ACK [2@0] {radio_directory} There is no fetch; there is update\n")
    #expect(client.ask("radio_browse popular").contains("There is no station directory"))
  }

  @Test("A radio without a box updates no directory, and needs the permission (W1)")
  func permission() throws {
    let plain = try Bench()
    #expect(plain.client().ask("radio_directory update").contains("`bakelite find --update` downloads the directory"))
    #expect(plain.client().ask("radio_directory") == "state: none\nOK\n")
  }

  @Test(
    "The lists are those of the display (W1)",
    arguments: [
      ("popular", ["Kitchen FM", "Café Müller", "Jazz Berlin", "Nachtradio", "Paris Jazz"]),
      ("near", ["Paris Jazz", "jazz berlin", "Old Kitchen"]), ("genre talk", ["Berlin Talk"]),
      ("country RU", ["Радио Маяк"]), ("genre polka", []),
    ])
  func lists(_ words: String, _ names: [String]) throws {
    updates.country = "FR"
    let bench = try bench()
    #expect(bench.client().values("name", of: "radio_browse \(words) window 0:5") == names)
  }

  @Test("A window selects stations, and the count is of all (W1)")
  func window() throws {
    let bench = try bench()
    let client = bench.client()
    #expect(client.values("name", of: "radio_browse popular window 2:4") == ["Jazz Berlin", "Nachtradio"])
    #expect(client.values("found", of: "radio_browse popular window 2:4") == ["10"])
    #expect(client.values("name", of: "radio_browse popular window 50:60") == [])
  }

  @Test("Genres and countries have their counts; an unknown country lists the countries (W1)")
  func folders() throws {
    let bench = try bench()
    let client = bench.client()
    let genres = "genre: jazz\nstations: 5\ngenre: pop\nstations: 2\nOK\n"
    #expect(client.ask("radio_browse genres window 0:2").hasSuffix(genres))
    let countries = "country: France\ncode: FR\nstations: 3\ncountry: Germany\ncode: DE\nstations: 5\n"
    #expect(client.ask("radio_browse countries window 0:2").contains(countries))
    #expect(client.ask("radio_browse near window 0:2").contains(countries))
    updates.country = "JP"
    #expect(client.ask("radio_browse near window 0:2").contains(countries))
    for words in ["best", "genre", "near DE", "country"] {
      #expect(client.ask("radio_browse \(words)").hasPrefix("ACK [2@0] {radio_browse} The lists are"))
    }
  }
}
