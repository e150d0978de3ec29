import Panel
import PanelWords
import Testing
import Units

@testable import Panel

/// The web panel's sign-in code on the display, and its menu entry (W3).
@Suite struct WebCodeTests {
  private static let words = ["", "   bakelite.local", "   Code: K7MWQ2XD", ""]

  private static func code(_ text: String = "K7MWQ2XD", isNew: Bool = true) -> PanelWebCode {
    PanelWebCode(address: "bakelite.local", code: text, isNew: isNew)
  }

  private func hand() -> Hand {
    var hand = Hand(20, 4)
    hand.view.webCode = Self.code()
    return hand
  }

  private func isShown(_ hand: inout Hand) -> Bool { hand.picture().rows == Self.words }

  @Test("A new code appears over every screen, and stays (W3)")
  func showsItself() {
    var hand = Hand(20, 4)
    hand.press(.menu)
    hand.view.webCode = Self.code()
    hand.wait(1)
    #expect(isShown(&hand) && hand.panel.nextChange(after: hand.now) == .never)
    hand.wait(3_600_000)
    #expect(isShown(&hand))
    hand.view.state = .stopped
    hand.view.isStandby = true
    #expect(isShown(&hand) && hand.picture().frame.isLit && hand.orders == [])
  }

  @Test("A code disappears after a sign-in, and an old one does not appear (W3)")
  func goes() {
    var hand = hand()
    #expect(isShown(&hand))
    hand.view.webCode = nil
    #expect(hand.picture().rows[0] == "▶ Deutschlandfunk" && hand.panel.isFree)
    hand.view.webCode = Self.code(isNew: false)
    hand.wait(1)
    #expect(!isShown(&hand))
    // Switch off, and on again.
    hand.view.webCode = nil
    hand.wait(1)
    hand.view.webCode = Self.code("22222222")
    #expect(hand.picture().rows[2] == "   Code: 22222222")
  }

  @Test("After a sign-in the code appears only on request (W3)")
  func used() {
    var hand = hand()
    #expect(isShown(&hand))
    hand.view.webCode = PanelWebCode(address: "bakelite.local", code: "K7MWQ2XD", isNew: true, isUsed: true)
    #expect(!isShown(&hand))
    var watch = WebCodeWatch()
    let code = PanelWebCode(address: "bakelite.local", code: "K7MWQ2XD", isNew: true, isUsed: true)
    var shows = watch.showsItself(code)
    #expect(!shows && !watch.isOpen)
    watch.show(code)
    shows = watch.showsItself(code)
    #expect(!shows && watch.isOpen)
    watch.leave()
    #expect(!watch.isOpen)
  }

  /// Gestures, their orders and the resulting first row.
  private static let gestures: [(action: PanelAction, orders: [PanelOrder], row: String)] = [
    (.select, [], "▶ Deutschlandfunk"), (.menu, [], "▶ Deutschlandfunk"), (.mode, [], "▶ Deutschlandfunk"),
    (.playPause, [.playPause], "▶ Deutschlandfunk"), (.keep, [.keep], "▶ Deutschlandfunk"),
    (.preset(1), [.tune(0)], "▶ Deutschlandfunk"), (.volumeUp, [.volume(60)], " Volume"),
  ]

  @Test("Any press removes the code for good; select, menu and mode have no other effect (W3)", arguments: gestures)
  func presses(_ gesture: (action: PanelAction, orders: [PanelOrder], row: String)) {
    var hand = hand()
    #expect(isShown(&hand))
    hand.press(gesture.action)
    #expect(hand.orders == gesture.orders && hand.picture().rows[0].hasSuffix(gesture.row), "\(gesture.action)")
    hand.wait(5_000)
    #expect(hand.picture().rows[0] == "▶ Deutschlandfunk")
  }

  @Test("A turn of the knob removes the code too; a short message does not (W3)")
  func turns() {
    var hand = hand()
    hand.panel.announce(.recordingFailed, at: hand.now)
    hand.wait(2_000)
    #expect(isShown(&hand))
    hand.turn(1, mode: .volume)
    #expect(hand.orders == [.volume(60)])
    hand.wait(5_000)
    #expect(!isShown(&hand))
  }

  @Test("The directory lists stay below the code (W3)")
  func overLists() {
    var hand = Hand(20, 4)
    hand.press(.menu, .select)
    let list = hand.picture().rows
    hand.view.webCode = Self.code()
    hand.wait(1)
    #expect(isShown(&hand))
    hand.press(.select)
    #expect(hand.picture().rows == list)
  }

  private func goToEntry(_ hand: inout Hand) {
    hand.press(.menu)
    for _ in 0..<20 where !hand.picture().rows.joined().contains("→Web panel") { hand.turn(1) }
  }

  @Test("The menu switches the panel on and off (W3)")
  func menu() {
    var hand = Hand(20, 4)
    goToEntry(&hand)
    #expect(hand.picture().rows.contains("→Web panel       off"))
    hand.press(.select)
    hand.turn(1)
    #expect(hand.picture().rows.contains("→Web panel      [on]"))
    hand.press(.select)
    #expect(hand.orders == [.setting(.web(true))] && hand.panel.settings.isWebOn)
    hand.press(.select)
    hand.turn(-1)
    hand.press(.select)
    #expect(hand.orders.last == .setting(.web(false)) && !hand.panel.settings.isWebOn)
  }

  @Test("Choosing \"on\" again shows the code until a sign-in (W3)")
  func showsAgain() {
    var hand = hand()
    var settings = PanelSettings()
    settings.isWebOn = true
    hand.panel.adopt(settings)
    _ = hand.picture()
    hand.press(.select)
    goToEntry(&hand)
    hand.press(.select, .select)
    #expect(isShown(&hand))
    hand.wait(60_000)
    #expect(isShown(&hand))
    hand.press(.select)
    hand.view.webCode = nil
    goToEntry(&hand)
    hand.press(.select, .select)
    #expect(hand.picture().rows.contains("→Web panel        on"))
  }

  @Test("A room has no web panel (M1)")
  func room() {
    var hand = Hand(20, 4, .room())
    hand.press(.menu)
    #expect(!hand.picture().rows.joined().contains("Web"))
  }
}

extension Gallery {
  static let webScenes: [Scene] = [
    (
      "web panel",
      .playing { $0.webCode = PanelWebCode(address: "bakelite.local", code: "K7MWQ2XD", isNew: true) }, { _ in }
    ),
    (
      "web panel, elsewhere",
      .playing { $0.webCode = PanelWebCode(address: "https://kitchen.local:8443", code: "K7MWQ2XD", isNew: true) },
      { _ in }
    ),
    (
      "menu, web panel", .playing,
      {
        $0.press(.menu); $0.turn(13); $0.press(.select); $0.turn(1)
      }
    ),
  ]
}

/// Expected screens of the web panel's code, in 20×4 and 16×2.
extension Golden {
  static let englishWeb: [String: String] = [
    "web panel": """
    ┌────────────────────┐ ┌────────────────┐
    │                    │ │ bakelite.local │
    │   bakelite.local   │ │ Code: K7MWQ2XD │
    │   Code: K7MWQ2XD   │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "web panel, elsewhere": """
    ┌────────────────────┐ ┌────────────────┐
    │                    │ │https://kitchen.│
    │https://kitchen.loca│ │ Code: K7MWQ2XD │
    │   Code: K7MWQ2XD   │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "menu, web panel": """
    ┌────────────────────┐ ┌────────────────┐
    │ Remove preset      │ │→Web panel  [on]│
    │→Web panel      [on]│ │ Info           │
    │ Info               │ └────────────────┘
    │ Back               │
    └────────────────────┘
    """,
  ]

  static let germanWeb: [String: String] = englishWeb.merging(
    [
      "menu, web panel": """
      ┌────────────────────┐ ┌────────────────┐
      │ Favorit löschen    │ │→Web-Seite  [an]│
      │→Web-Seite      [an]│ │ Info           │
      │ Info               │ └────────────────┘
      │ Zurück             │
      └────────────────────┘
      """
    ]) { _, german in german }
}
