import Panel
import PanelWords
import Testing
import Units

@testable import Panel

/// The question about a preset's new address.
@Suite struct QuestionTests {
  private static let answers = "♪→listen  ✓ yes ✕ no"

  private func row(_ hand: inout Hand) -> String { hand.picture().rows[3] }

  @Test("The question appears when its preset fails, once per tuning (G5)")
  func showsItself() {
    var hand = Hand(20, 4, .moved)
    #expect(row(&hand) == Self.answers)
    hand.wait(60_000)
    #expect(hand.picture().rows[1] == "Station not found")
    hand.wait(60_000)
    #expect(row(&hand) != Self.answers)
    hand.view.question?.isUrgent = false
    hand.wait(1)
    hand.view.question?.isUrgent = true
    hand.wait(1)
    #expect(row(&hand) == Self.answers)
    hand.view.question = PanelQuestion(preset: "Kitchen FM", station: "Kitchen FM", host: "other.example")
    hand.view.question?.isUrgent = true
    hand.wait(60_000)
    #expect(row(&hand) == Self.answers)
    hand.view.question = nil
    #expect(row(&hand) != Self.answers && hand.orders == [])
  }

  @Test("The question waits for other overlays, and stays a quarter minute after an input (G5)")
  func waits() {
    var hand = Hand(20, 4)
    hand.press(.volumeUp)
    hand.view = .moved
    #expect(row(&hand) != Self.answers)
    hand.wait(2_000)
    #expect(row(&hand) == Self.answers)
    hand.turn(1)
    hand.wait(14_999)
    #expect(row(&hand) == "♪ listen  ✓→yes ✕ no")
    hand.wait(1)
    #expect(!row(&hand).hasPrefix("♪"))
    // A temporary overlay does not end the question.
    hand.view.question?.isUrgent = false
    hand.wait(1)
    hand.view.question?.isUrgent = true
    hand.wait(1)
    hand.press(.volumeUp)
    #expect(row(&hand) != Self.answers)
    hand.wait(2_000)
    #expect(row(&hand) == Self.answers)
    hand.press(.volumeUp)
    hand.wait(60_000)
    #expect(row(&hand) != Self.answers)
  }

  private static func answer(_ answer: PanelAnswer) -> PanelOrder { .answer(answer, preset: "Kitchen FM") }

  @Test("A new preset's question replaces the old one, with nothing selected (G5)")
  func otherQuestion() {
    var hand = Hand(20, 4, .moved)
    _ = hand.picture()
    hand.press(.select)
    #expect(row(&hand) == "♪ listen  ✓→yes ✕ no")
    hand.view.question = PanelQuestion(preset: "Cellar FM", station: "Cellar FM", host: "other.example")
    hand.view.question?.isUrgent = true
    #expect(row(&hand) == Self.answers)
    hand.orders = []
    hand.press(.select)
    #expect(hand.orders == [.answer(.listen, preset: "Cellar FM")])
  }

  /// Gestures and their effects: the answer selected before and after, and the orders. `to` is nil if the question
  /// closes.
  private static let gestures: [(gesture: String, from: PanelAnswer, to: PanelAnswer?, orders: [PanelOrder])] = [
    ("right", .listen, .accept, []), ("right", .accept, .refuse, []), ("right", .refuse, .refuse, []),
    ("far", .listen, .refuse, []), ("left", .listen, .listen, []), ("left", .accept, .listen, []),
    ("left", .refuse, .accept, []),
    ("volume knob", .accept, nil, [.volume(60)]), ("up", .accept, .listen, []), ("down", .accept, .refuse, []),
    ("next", .listen, .accept, []), ("next", .accept, .refuse, []), ("next", .refuse, nil, [.tune(3)]),
    ("previous", .listen, nil, [.tune(1)]), ("previous", .accept, .listen, []), ("previous", .refuse, .accept, []),
    ("select", .listen, .accept, [answer(.listen)]), ("select", .accept, nil, [answer(.accept)]),
    ("select", .refuse, nil, [answer(.refuse)]), ("play_pause", .listen, .accept, [answer(.listen)]),
    ("play_pause", .accept, nil, [answer(.accept)]), ("play_pause", .refuse, nil, [answer(.refuse)]),
    ("preset_1", .accept, nil, [.tune(0)]), ("stop", .accept, nil, [.stop]),
    ("power", .accept, nil, [.playPause]),
  ]

  @Test(
    "Knob and buttons select and give the answers; other keys have their usual effect (G5)",
    arguments: gestures, KnobMode.allCases)
  func gesture(
    _ gesture: (gesture: String, from: PanelAnswer, to: PanelAnswer?, orders: [PanelOrder]), _ mode: KnobMode
  ) {
    var hand = Hand(20, 4, .moved)
    while hand.panel.knobMode != mode { hand.press(.mode) }
    hand.wait(2_000)
    _ = hand.picture()
    switch gesture.from {
    case .listen: break
    case .accept: hand.turn(1)
    case .refuse: hand.turn(2)
    }
    hand.orders = []
    switch gesture.gesture {
    case "right": hand.turn(1)
    case "far": hand.orders += hand.panel.handle(.turn(.max), hand.view, at: hand.now)
    case "left": hand.turn(-1)
    case "volume knob": hand.turn(1, mode: .volume)
    default: if let action = PanelAction(gesture.gesture) { hand.press(action) }
    }
    #expect(hand.orders == gesture.orders, "\(gesture)")
    let shown = ["♪→listen  ✓ yes ✕ no", "♪ listen  ✓→yes ✕ no", "♪ listen  ✓ yes ✕→no"]
    let expected = gesture.to.flatMap { PanelAnswer.allCases.firstIndex(of: $0) }
    #expect(shown.firstIndex(of: row(&hand)) == expected, "\(gesture): \(row(&hand))")
  }

  @Test("The menu offers the question too, also during another station (G5)")
  func menu() {
    var hand = Hand(16, 2, .moved)
    hand.view.question?.isUrgent = false
    hand.view.fault = nil
    hand.press(.select)
    #expect(hand.picture().rows[0] == "→Station moved?")
    hand.press(.select)
    #expect(hand.picture().rows == ["Kitchen FM moved", "→♪play ✓yes ✕no"] && hand.orders == [])
    hand.view.question = nil
    hand.wait(1)
    hand.press(.menu)
    #expect(!hand.picture().rows.contains { $0.contains("moved") })
  }

  @Test("A question opened by the menu closes after a minute of listening, and does not return (G5)")
  func heardFromMenu() {
    var hand = Hand(20, 4, .moved)
    hand.view.question?.isUrgent = false
    hand.view.fault = nil
    hand.press(.select)
    hand.press(.select)
    #expect(row(&hand) == Self.answers)
    hand.press(.select)
    #expect(hand.orders.last == Self.answer(.listen) && row(&hand) == "♪ listen  ✓→yes ✕ no")
    // The other address plays now.
    hand.view.question?.isUrgent = true
    hand.wait(59_999)
    #expect(row(&hand) == "♪ listen  ✓→yes ✕ no")
    hand.wait(1)
    #expect(!row(&hand).hasPrefix("♪"))
    hand.wait(5_000)
    #expect(!row(&hand).hasPrefix("♪"))
    // The other address did not play. The question reappears when the preset fails again.
    hand.view.question?.isUrgent = false
    hand.wait(1)
    hand.press(.select)
    hand.press(.select)
    hand.press(.select)
    hand.wait(60_001)
    #expect(!row(&hand).hasPrefix("♪"))
    hand.view.question?.isUrgent = true
    hand.wait(1)
    #expect(row(&hand) == Self.answers)
    // The directory has another address now.
    hand.press(.select)
    hand.view.question?.address = "http://stream.kitchen.example/other"
    #expect(row(&hand) == Self.answers)
  }

  @Test("Tick and cross are drawn for either ROM (G5)", arguments: CharacterRom.allCases, [(20, 4), (16, 2)])
  func glyphs(_ rom: CharacterRom, _ size: (Int, Int)) {
    var hand = Hand(size.0, size.1, .moved, rom: rom)
    let picture = hand.picture()
    for character in "✓✕" {
      let place = picture.characters.firstIndex(of: character)
      #expect(place.map { picture.frame.cells[$0] < 8 } == true)
    }
    #expect(picture.characters.contains("♪"))
  }
}
