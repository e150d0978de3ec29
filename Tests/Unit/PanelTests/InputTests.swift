import Panel
import PanelWords
import Testing
import Units

struct ButtonTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var wanted: Set<Gesture>
    /// Edges of the contact in milliseconds, down first.
    var edges: [Int64]
    /// Expected gestures and their times in milliseconds.
    var told: [(Int64, Gesture)]

    init(_ name: String, _ wanted: Set<Gesture>, _ edges: [Int64], _ told: [(Int64, Gesture)]) {
      testDescription = name
      self.wanted = wanted
      self.edges = edges
      self.told = told
    }
  }

  static let cases = [
    Case("a press alone is told as the button goes down", [.press], [100, 900], [(110, .press)]),
    Case("with a long one possible, on release", [.press, .long], [100, 300], [(310, .press)]),
    Case("with a double one possible, once that is ruled out", [.press, .double], [100, 200], [(500, .press)]),
    Case("a long press is told while the button is held", [.press, .long], [100, 2000], [(800, .long)]),
    Case("a long hold without meaning is a press", [.press, .double], [100, 2000], [(2300, .press)]),
    Case("a double press", [.press, .double], [100, 200, 400, 500], [(410, .double)]),
    Case("too late for a double press", [.press, .double], [100, 200, 600, 650], [(500, .press), (950, .press)]),
    Case("all three: double", [.press, .long, .double], [100, 200, 300, 2000], [(310, .double)]),
    Case("all three: long", [.press, .long, .double], [100, 1000], [(800, .long)]),
    Case(
      "held, it repeats", [.press, .repeated], [100, 1000],
      [
        (110, .press), (600, .repeated), (750, .repeated), (900, .repeated),
      ]),
    Case(
      "held, it repeats, and is long in the end", [.press, .repeated, .long], [100, 3000],
      [
        (600, .repeated), (750, .repeated), (900, .repeated), (1050, .repeated), (1200, .repeated), (1350, .repeated),
        (1500, .repeated), (1650, .repeated), (1800, .repeated), (1950, .repeated), (2100, .repeated), (2200, .long),
      ]),
    Case(
      "a short press of a button that repeats and has a long one", [.press, .repeated, .long], [100, 200],
      [
        (210, .press)
      ]),
    Case("only long: a short press says nothing", [.long], [100, 300], []),
    Case("chatter is one press", [.press], [100, 102, 103, 105, 106, 400, 401, 404, 405, 407], [(116, .press)]),
    Case("a spark is nothing", [.press, .long], [100, 103, 500, 504], []),
  ]

  /// Returns the gestures and their times, polled each millisecond.
  static func told(_ example: Case) -> [(Int64, Gesture)] {
    var button = ButtonGestures(example.wanted)
    var told: [(Int64, Gesture)] = []
    for now in 0..<4000 as Range<Int64> {
      for (index, _) in example.edges.enumerated().filter({ $0.element == now }) {
        told += button.edge(isDown: index % 2 == 0, at: .ms(now)).map { (now, $0) }
      }
      told += button.advance(to: .ms(now)).map { (now, $0) }
    }
    return told
  }

  @Test("Gestures are right to the millisecond (D4)", arguments: cases)
  func gestures(_ example: Case) {
    let told = Self.told(example)
    #expect(told.map(\.1) == example.told.map(\.1))
    #expect(told.map(\.0) == example.told.map(\.0))
  }

  @Test("Sleeping until the next change gives the same gestures", arguments: cases)
  func sleeping(_ example: Case) {
    var button = ButtonGestures(example.wanted)
    var told: [(Int64, Gesture)] = []
    var edges = example.edges.enumerated().map { ($0.offset % 2 == 0, MonotonicTime.ms($0.element)) }[...]
    while true {
      let due = button.nextChange
      if let (isDown, at) = edges.first, at <= due {
        edges.removeFirst()
        told += button.edge(isDown: isDown, at: at).map { (at.nanoseconds / 1_000_000, $0) }
      } else if due < .never {
        told += button.advance(to: due).map { (due.nanoseconds / 1_000_000, $0) }
      } else {
        break
      }
    }
    #expect(told.map(\.1) == example.told.map(\.1))
    #expect(told.map(\.0) == example.told.map(\.0))
  }

  @Test func repeatsThatNobodyAskedForAreToldOnce() {
    var button = ButtonGestures([.press, .repeated])
    #expect(button.edge(isDown: true, at: .ms(0)) == [])
    #expect(button.advance(to: .ms(10)) == [.press])
    #expect(button.advance(to: .ms(60_000)) == [.repeated])
  }
}

struct ActionTests {
  @Test("Every word is parsed as its action", arguments: PanelAction.words)
  func words(_ word: String) throws { #expect(try #require(PanelAction(word)).word == word) }

  @Test func thereAreTwentyNine() {
    #expect(Set(PanelAction.words.compactMap { PanelAction($0) }).count == 29)
  }

  @Test func longMeaningsOfKeysKeepTheirDistance() {
    let long = String(repeating: "x", count: 50)
    #expect(TerminalFrame.keys([("a", long), ("bc", "y"), ("d", "z")]) == ["a   \(long)  d   z", "bc  y"])
  }

  @Test("Up is the previous entry in a list, and more for volume or time")
  func arrows() {
    var hand = Hand(20, 4, .playing { $0.timeShift = 60 })
    hand.press(.up, .select)
    hand.press(.down, .select)
    #expect(hand.orders == [.tune(1), .tune(3)])
    hand.orders = []
    hand.press(.menu, .down)
    #expect(hand.picture().rows[1].hasPrefix("→"), "\(hand.picture().rows)")
    hand.press(.up)
    #expect(hand.picture().rows[0].hasPrefix("→"), "\(hand.picture().rows)")
    hand.press(.menu, .mode)
    hand.orders = []
    hand.press(.up, .down)
    hand.wait(300)
    hand.press(.down)
    #expect(hand.orders == [.volume(60), .volume(58), .volume(56)])
    hand.press(.menu, .down)
    #expect(hand.picture().rows[1].hasPrefix("→"), "the menu is a list whatever the knob turns")
    hand.press(.menu, .mode)
    hand.orders = []
    hand.press(.up, .down)
    #expect(hand.orders == [.seek(by: 10), .seek(by: -10)])
  }

  @Test("Every action has a short description") func meanings() {
    let meanings = PanelAction.words.compactMap { PanelAction($0)?.meaning }
    #expect(Set(meanings).count == 29 && meanings.allSatisfy { (1...33).contains($0.count) })
  }

  @Test("An unknown word is refused", arguments: ["", "play", "preset_0", "preset_10", "preset_", "preset_+1", "MUTE"])
  func others(_ word: String) { #expect(PanelAction(word) == nil) }
}

struct AccelerationTests {
  @Test("Fast turns go further, within limits", arguments: [(200, 1), (80, 1), (50, 2), (30, 3), (20, 5), (5, 8)])
  func factors(_ interval: Int64, _ factor: Int) {
    for most in [1, 3, 8] {
      var knob = KnobAcceleration(most: most)
      let steps = (0..<30).map { knob.steps(for: -1, at: .ms($0 * interval)) }
      #expect(steps.first == -1)
      #expect(steps.last == -min(most, factor))
      #expect(knob.steps(for: 1, at: .ms(30 * interval)) == 1, "the other way begins slowly")
    }
  }

  @Test func absurdNumbersAreBounded() {
    var knob = KnobAcceleration(most: 8)
    #expect(knob.steps(for: .max, at: .zero) == 100)
    #expect(knob.steps(for: .min, at: .never) == -100)
    #expect(knob.steps(for: 0, at: .never) == 0)
  }
}

struct EpisodeKeyTests {
  @Test(
    "In a podcast next and previous select episodes, and it stops after the last one (E1)",
    arguments: [
      (0, PanelAction.next, [PanelOrder.episode(1)]), (2, .next, [.stop]), (2, .previous, [.episode(1)]),
      (0, .previous, [.episode(0)]),
    ])
  func episodeKeys(_ episode: Int, _ key: PanelAction, _ orders: [PanelOrder]) {
    var hand = Hand(
      20, 4,
      .playing {
        $0.episodes = ["New", "Middle", "Old"]
        ($0.episodeIndex, $0.stepsEpisodes) = (episode, true)
      })
    hand.press(key)
    #expect(hand.orders == orders)
    // Without playback, the keys select stations.
    hand.orders = []
    hand.view.stepsEpisodes = false
    hand.press(key)
    #expect(hand.orders == [.tune(key == .next ? 3 : 1)])
  }
}

/// Menu entries for presets (D16).
@Suite struct PresetMenuTests {
  /// Selects the menu entry with this beginning, and returns false if missing.
  private func point(_ hand: inout Hand, at label: String) -> Bool {
    hand.press(.menu)
    for _ in 0..<15 where hand.picture().rows.contains(where: { $0.hasPrefix("→") && !$0.hasPrefix("→\(label)") }) {
      hand.turn(1)
    }
    return hand.picture().rows.contains { $0.hasPrefix("→\(label)") }
  }

  @Test(
    "A playing station that is not a preset is stored as one",
    arguments: [(20, "Keep as preset"), (16, "Keep as preset")])
  func keep(_ columns: Int, _ label: String) {
    var hand = Hand(columns, 2, .playing { $0.stationIndex = nil })
    #expect(point(&hand, at: label))
    hand.press(.select)
    #expect(hand.orders == [.keepPreset] && !hand.picture().rows.contains { $0.hasPrefix("→") })
    hand.view.stationIndex = 2
    #expect(!point(&hand, at: label), "it is one already")
    hand.press(.menu)
    (hand.view.stationIndex, hand.view.state) = (nil, .stopped)
    #expect(!point(&hand, at: label), "nothing plays")
  }

  @Test("The knob moves the playing preset, and an unchanged place has no effect")
  func move() {
    var hand = Hand(20, 4)
    #expect(point(&hand, at: "Move this preset"))
    hand.press(.select)
    #expect(hand.picture().rows.contains { $0.contains("3 Deutschlandfunk") })
    // End the fast turn before the next one.
    hand.wait(300)
    hand.turn(2)
    #expect(hand.picture().rows.contains { $0.hasPrefix("→ 5 Deutschlandfunk") }, "\(hand.picture().rows)")
    hand.turn(-4)
    #expect(hand.picture().rows[0].hasPrefix("→ 1 Deutschlandfunk"))
    hand.press(.select)
    #expect(hand.orders == [.movePreset(from: 2, to: 0)])
    #expect(point(&hand, at: "Move this preset"))
    hand.press(.select, .select)
    #expect(hand.orders.count == 1)
    #expect(point(&hand, at: "Move this preset"))
    hand.press(.select)
    hand.turn(1)
    hand.press(.menu)
    #expect(
      hand.orders.count == 1 && hand.picture().rows.contains { $0.hasPrefix("→Move") }, "the menu key leaves it")
    hand.press(.menu)
    hand.view.stations = ["One"]
    hand.view.stationIndex = 0
    #expect(!point(&hand, at: "Move this preset"), "there is nowhere to go")
  }

  @Test("The sound card is taken back from its user by the menu only (M3)", arguments: [20, 16])
  func takeBack(_ columns: Int) {
    var hand = Hand(columns, 2, .playing { $0.state = .paused })
    #expect(!point(&hand, at: "Take sound back"))
    hand.view.guest = "AirPlay"
    hand.press(.playPause)
    #expect(hand.orders == [.playPause] && hand.picture().rows[1] == "AirPlay plays")
    #expect(point(&hand, at: "Take sound back"))
    hand.press(.select)
    #expect(hand.orders == [.playPause, .takeBack])
    hand.view.guest = nil
    #expect(hand.picture().rows[1].hasPrefix("Nina Simone"))
  }

  @Test("An unwritable guest is \"Guest\", a long name scrolls, and standby stays dark")
  func guests() {
    var hand = Hand(
      16, 2,
      .playing {
        $0.state = .paused; $0.guest = "客厅"
      })
    #expect(hand.picture().rows[1] == "Guest plays")
    hand.view.guest = "Living room HomePod"
    #expect(hand.picture().rows[1] == "Living room Home")
    hand.wait(6_000)
    #expect(hand.picture().rows[1].hasSuffix("HomePod plays"))
    (hand.view.state, hand.view.isStandby, hand.view.clock) = (.stopped, true, nil)
    #expect(!hand.picture().frame.isLit)
  }

  @Test("The playing preset is removed after a yes", arguments: [(20, "Remove preset"), (16, "Remove")])
  func remove(_ columns: Int, _ label: String) {
    var hand = Hand(columns, 2)
    #expect(point(&hand, at: label))
    hand.press(.select)
    #expect(hand.picture().rows.contains { $0.hasPrefix("→\(label)") && $0.hasSuffix("[no]") })
    hand.press(.select)
    #expect(hand.orders == [])
    hand.press(.select)
    hand.turn(1)
    #expect(hand.picture().rows.contains { $0.hasSuffix("[yes]") })
    // The question was about another station, which a client has replaced meanwhile.
    hand.view.stationIndex = 5
    hand.press(.select)
    #expect(hand.orders == [.removePreset(2)])
    hand.view.stationIndex = nil
    #expect(!point(&hand, at: label))
  }

  @Test(
    "A value being chosen stays with its item when the list changes",
    arguments: ["Display", "Sleep in", "Knob turns", "Scroll speed", "Idle clock"])
  func listChanges(_ label: String) {
    var hand = Hand(20, 4)
    #expect(point(&hand, at: label))
    hand.press(.select)
    hand.turn(1)
    let chosen = hand.picture().rows.first { $0.hasPrefix("→\(label)") }
    #expect(chosen?.hasSuffix("]") == true)
    hand.view.state = .stopped
    #expect(hand.picture().rows.contains { $0 == chosen })
    hand.turn(-1)
    hand.turn(1)
    hand.press(.select)
    #expect(hand.orders.count == 1 && hand.picture().rows.contains { $0.hasPrefix("→\(label)") })
  }
}
