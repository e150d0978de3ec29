import PanelWords
import Testing
import Units

@testable import Panel

/// Finding stations of the directory, with the knob or with three buttons (G3).
@Suite struct FindTests {
  private static let lists: [(FindList, [Int])] = [
    (.start, []), (.nearMe, [0]), (.popular, [1]), (.genres, [2]), (.countries, [3]), (.letters(after: ""), [4]),
    (.genre("jazz"), [2, 1]), (.country(code: "DE", name: "Germany"), [3, 0]), (.letters(after: "r"), [4, 1]),
    (.letters(after: "ra"), [4, 1, 0]), (.names(beginning: "r"), [4, 1, -1]), (.names(beginning: "re"), [4, 1, 1]),
  ]

  /// Opens a list from the menu.
  private static func hand(in list: FindList) throws -> Hand {
    let path = try #require(lists.first { $0.0 == list }).1
    var hand = Hand(20, 4)
    hand.press(.menu, .select)
    for place in path {
      hand.step(place)
      hand.press(.select)
    }
    return hand
  }

  /// The first cursor position in a list.
  private static func start(of list: FindList) -> Int {
    switch list {
    case .countries, .letters: 1
    default: 0
    }
  }

  /// The effect of a key: the open list, its cursor, and the orders.
  private struct Step: Equatable {
    var list: FindList?
    var cursor: Int?
    var orders: [PanelOrder] = []
  }

  private static func step(_ list: FindList, _ key: PanelAction) throws -> Step {
    var hand = try hand(in: list)
    hand.orders = []
    hand.press(key)
    return Step(list: hand.panel.findRequest?.list, cursor: hand.panel.findRequest?.cursor, orders: hand.orders)
  }

  @Test("Each list opens by a press, and has a title (G3)", arguments: lists.map(\.0))
  func opens(_ list: FindList) throws {
    let hand = try Self.hand(in: list)
    #expect(hand.panel.findRequest == FindRequest(list, cursor: nil))
    #expect(hand.orders == [])
  }

  @Test("A turn, the arrows, and previous and next move the cursor in each list (G3)", arguments: lists.map(\.0))
  func moves(_ list: FindList) throws {
    for key in [PanelAction.next, .down] {
      let step = try Self.step(list, key)
      #expect(step.list == list && step.orders == [])
      let start = Self.start(of: list)
      #expect(step.cursor == start + 1)
      for back in [PanelAction.previous, .up] {
        var hand = try Self.hand(in: list)
        hand.press(key, back)
        #expect(hand.panel.findRequest?.cursor == start)
      }
    }
  }

  @Test("A press opens a list, plays a station, or goes back, in each list (G3)", arguments: lists.map(\.0))
  func presses(_ list: FindList) throws {
    var hand = try Self.hand(in: list)
    hand.turn(1)
    hand.press(.select)
    let next: FindList? =
      switch list {
      case .start: .popular
      case .genres: .genre("jazz")
      case .countries: .country(code: "GB", name: "United Kingdom")
      case .letters(let beginning):
        switch beginning {
        case "": .letters(after: "r")
        case "r": .names(beginning: "re")
        default: .letters(after: "rad")
        }
      default: nil
      }
    #expect(hand.panel.findRequest?.list == next ?? list)
    #expect(hand.orders == (next == nil ? [.playFound(1)] : []))
  }

  @Test("Menu returns to the previous list and its cursor; from the first one to the menu (G3)", arguments: lists)
  func goesBack(_ list: FindList, _ path: [Int]) throws {
    var hand = try Self.hand(in: list)
    for depth in stride(from: path.count, to: 0, by: -1) {
      hand.press(.menu)
      let parent = Self.lists.first { $0.1 == Array(path.prefix(depth - 1)) }?.0
      #expect(hand.panel.findRequest?.list == parent)
    }
    if let first = path.first { #expect(hand.panel.findRequest?.cursor == (first == 0 ? nil : first)) }
    hand.press(.menu)
    #expect(hand.panel.findRequest == nil && hand.orders == [])
    #expect(hand.picture().rows[0] == "→Find stations")
  }

  @Test("One step before the first entry is the one that goes back (G3)", arguments: lists)
  func backEntry(_ list: FindList, _ path: [Int]) throws {
    var hand = try Self.hand(in: list)
    hand.step(-1 - Self.start(of: list))
    let words = list == .letters(after: "r") || list == .letters(after: "ra") ? "→Back a letter" : "→Back"
    #expect(hand.picture().rows.contains(words), "\(hand.picture().rows)")
    hand.press(.next)
    #expect(hand.panel.findRequest?.cursor == 0, "around the end")
    hand.press(.previous, .select)
    let parent = path.isEmpty ? nil : Self.lists.first { $0.1 == Array(path.dropLast()) }?.0
    #expect(hand.panel.findRequest?.list == parent)
  }

  @Test("A long press of the knob, and keep, store the station at the cursor (G3)", arguments: lists)
  func keeps(_ list: FindList, _ path: [Int]) throws {
    for key in [PanelAction.mode, .keep] {
      let step = try Self.step(list, key)
      switch list {
      case .nearMe, .popular, .genre, .country, .names: #expect(step.orders == [.keepFound(0)])
      case .start, .genres, .countries, .letters: #expect(step.orders == [])
      }
      #expect(step.list == list)
    }
    let hand = try Self.hand(in: list)
    #expect(hand.panel.knobMode == .tune)
  }

  @Test("A press on the playing station ends the search (G3)")
  func over() throws {
    var hand = try Self.hand(in: .nearMe)
    hand.press(.select)
    #expect(hand.panel.findRequest == nil && hand.orders == [])
    #expect(hand.picture().rows[0] == "▶ Deutschlandfunk")
  }

  @Test(
    "Other keys have their usual effect, and end the search if they leave the list (G3)",
    arguments: [
      (.playPause, [.playPause], false), (.stop, [.stop], false), (.power, [.powerOff], false),
      (.preset(1), [.tune(0)], false), (.volumeUp, [.volume(60)], true), (.mute, [.mute(true)], true),
      (.rewind, [.seek(by: -10)], true), (.record, [.record], true), (.sleep, [.sleep(minutes: 15)], true),
      (.display, [.setting(.face(.spectrum))], false), (.live, [.live], true),
    ] as [(PanelAction, [PanelOrder], Bool)])
  func otherKeys(_ key: PanelAction, _ orders: [PanelOrder], _ isOpen: Bool) throws {
    var hand = try Self.hand(in: .popular)
    hand.turn(2)
    hand.press(key)
    #expect(hand.orders == orders)
    #expect((hand.panel.findRequest?.list == .popular) == isOpen)
    guard isOpen else { return }
    if key != .record { #expect(hand.picture().rows[2] != "→Radio Bremen Eins i", "something else lies over it") }
    hand.wait(5_000)
    #expect(hand.picture().rows[2] == "→Radio Bremen Eins i", "the list is back")
  }

  @Test("A press on an overlay only removes it; a turn counts at once (G3)")
  func covered() throws {
    for key in [PanelAction.select, .keep, .mode] {
      var hand = try Self.hand(in: .nearMe)
      hand.turn(1)
      hand.panel.announce(.preset(number: 5, name: "Bayern 3"), at: hand.now)
      #expect(hand.picture().rows[1].contains("Preset 5"))
      hand.press(key)
      #expect(hand.orders == [] && hand.picture().rows[2] == "→Bayern 3")
      hand.panel.announce(.preset(number: 5, name: "Bayern 3"), at: hand.now)
      hand.turn(1)
      #expect(hand.panel.findRequest?.cursor == 2 && hand.picture().rows[2].hasPrefix("→Radio Bremen"))
    }
  }

  @Test("Another knob keeps its own mode, and the list returns (G3)")
  func otherKnob() throws {
    var hand = try Self.hand(in: .nearMe)
    hand.turn(1, mode: .volume)
    #expect(hand.orders == [.volume(60)])
    hand.turn(1, mode: .tune)
    #expect(hand.panel.findRequest?.cursor == 1)
  }

  @Test("The lists stay for a minute after the last input, then need nothing (G3)")
  func ends() throws {
    var hand = try Self.hand(in: .nearMe)
    hand.turn(1)
    hand.wait(59_999)
    #expect(hand.panel.findRequest != nil)
    hand.panel.announce(.stationNotPlayed, at: hand.now)
    hand.wait(2_000)
    #expect(hand.panel.findRequest == nil && hand.picture().rows[0] == "▶ Deutschlandfunk")
    hand.press(.select)
    #expect(hand.picture().rows[0] == "→Find stations", "a press opens the menu again")
    var other = try Self.hand(in: .nearMe)
    other.turn(1)
    other.picture()
    #expect(other.panel.nextChange(after: other.now) == other.now + .ms(60_000), "a list at rest wakes nobody")
  }

  @Test(
    "Without a directory a press downloads it, and the long press and the menu key lead back (W1, G3)",
    arguments: [FindAnswer.absent(.unasked), .absent(.failed), .damaged], [PanelAction.mode, .keep, .menu])
  func absent(_ answer: FindAnswer, _ key: PanelAction) {
    var hand = Hand(16, 2)
    hand.directory = { _ in answer }
    hand.press(.menu, .select)
    let others = answer == .damaged ? "Directory broken" : "Download failed"
    let first = answer == .absent(.unasked) ? "No directory yet" : others
    #expect(hand.picture().rows[0] == first && hand.picture().rows[1].hasPrefix("Press"))
    hand.press(.next)
    hand.turn(3)
    #expect(hand.orders == [] && hand.panel.findRequest == FindRequest(.start, cursor: nil))
    hand.press(.select)
    #expect(hand.orders == [.fetchDirectory] && hand.panel.findRequest != nil)
    hand.press(key)
    #expect(hand.picture().rows[0] == "→Find stations")
  }

  @Test("The download shows its progress for as long as it runs, and the lists appear at its end (W1)")
  func download() {
    var hand = Hand(20, 4)
    hand.directory = { _ in .fetching(stations: 12_345) }
    hand.press(.menu, .select)
    for _ in 0..<5 {
      hand.wait(50_000)
      #expect(hand.picture().rows[0] == "Downloading stations" && hand.picture().rows[2] == "12345 stations")
    }
    hand.directory = { SampleDirectory.answer($0) }
    #expect(hand.picture().rows[0] == "Find stations" && hand.orders == [])
  }

  @Test(
    "Without a service the screen has the command, and every key leads back (W1)",
    arguments: [PanelAction.select, .menu])
  func byHand(_ key: PanelAction) {
    var hand = Hand(16, 2)
    hand.directory = { _ in .absent(.byHand) }
    hand.press(.menu, .select)
    #expect(hand.picture().rows == ["No directory yet", "sudo bakelite fi"])
    hand.press(key)
    #expect(hand.picture().rows[0] == "→Find stations" && hand.orders == [])
  }

  @Test("The remedy continues in the next row between words (G3)", arguments: [16, 20])
  func remedy(_ columns: Int) {
    var hand = Hand(columns, 4)
    hand.directory = { _ in .absent(.byHand) }
    hand.press(.menu, .select)
    let rows = columns == 16 ? ["sudo bakelite", "find --update"] : ["sudo bakelite find", "--update"]
    #expect(Array(hand.picture().rows[2...]) == rows)
  }

  @Test("While the directory opens the start is selectable, and a press waits for the list (G3)")
  func opening() {
    var hand = Hand(20, 4)
    hand.directory = { _ in .opening }
    hand.press(.menu, .select)
    #expect(hand.picture().rows == ["Find stations", "→Near me", " Popular", " Genres"])
    hand.press(.select)
    #expect(hand.picture().rows == ["Reading directory", "", "One moment", ""])
    hand.press(.select, .keep)
    hand.turn(1)
    #expect(hand.panel.findRequest == FindRequest(.nearMe, cursor: nil) && hand.orders == [])
    hand.directory = { SampleDirectory.answer($0) }
    #expect(hand.picture().rows[1] == "→Deutschlandfunk   ▶")
    hand.directory = { _ in .opening }
    hand.press(.menu)
    #expect(hand.panel.findRequest?.list == .start)
  }

  @Test("A box with an unknown country asks for it (G3)")
  func asks() {
    var hand = Hand(20, 4)
    hand.directory = { SampleDirectory.answer($0, country: nil) }
    hand.press(.menu, .select, .select)
    #expect(
      hand.picture().rows == [
        "Which country?   1/3", "→Austria         512", " Germany        5034", " United Kingdom 2010",
      ])
    hand.press(.next, .select)
    #expect(hand.panel.findRequest?.list == .country(code: "DE", name: "Germany"))
    #expect(hand.picture().rows[0] == "Germany          1/7")
  }

  @Test("The fastest turn passes any list in about sixty detents, a slow one row by row (G3)")
  func fast() {
    var hand = Hand(20, 4)
    hand.directory = { _ in
      var rows = FindRows()
      rows.total = 40_000
      return .rows(rows)
    }
    hand.press(.menu, .select, .next, .select)
    for _ in 0..<5 {
      hand.turn(1)
      hand.wait(250)
    }
    #expect(hand.panel.findRequest?.cursor == 5)
    var clicks = 0
    while clicks < 100, hand.panel.findRequest?.cursor != 40_000 {
      hand.turn(1)
      hand.wait(8)
      clicks += 1
    }
    #expect((50...75).contains(clicks), "\(clicks)")
    hand.wait(500)
    hand.turn(1)
    #expect(hand.panel.findRequest?.cursor == 0)
  }

  @Test("A list that shrinks, lies, or is not loaded breaks nothing (G3)")
  func hostile() {
    var hand = Hand(20, 4)
    hand.press(.menu, .select, .select)
    hand.turn(6)
    for (total, from, start) in [(0, 0, 0), (1, 0, 9), (-5, -9, -9), (.max, .max, .max), (3, .min, .min)] {
      hand.directory = { _ in
        var rows = FindRows()
        (rows.total, rows.from, rows.start) = (total, from, start)
        rows.rows = [FindRow("A", .station(0)), FindRow("", .list(.genres), count: -7)]
        return .rows(rows)
      }
      for step in [1, -1, 100, -100, .max, .min + 1] {
        hand.orders += hand.panel.handle(.turn(step), hand.view, at: hand.now)
        #expect(hand.picture().rows.count == 4)
        hand.press(.select, .keep)
        #expect(hand.picture().rows.count == 4)
      }
    }
  }

  @Test("Previous and next move the cursor in the menu too, so that three buttons suffice (G3)")
  func threeButtons() {
    var hand = Hand(20, 4, .playing)
    hand.press(.select, .next, .next)
    #expect(hand.picture().rows.contains { $0.hasPrefix("→Record") } && hand.orders == [])
    hand.press(.previous, .previous, .select)
    #expect(hand.panel.findRequest?.list == .start)
    hand.wait(1_000)
    hand.press(.next, .next, .select)
    hand.wait(1_000)
    hand.press(.next, .select)
    hand.wait(1_000)
    hand.press(.next, .select)
    #expect(hand.orders == [.playFound(1)])
    hand.press(.mode)
    #expect(hand.orders == [.playFound(1), .keepFound(1)])
  }
}
