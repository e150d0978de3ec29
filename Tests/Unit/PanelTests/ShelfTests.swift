import Panel
import PanelWords
import Testing
import Units

/// The recordings in the menu (T4).
@Suite struct ShelfTests {
  private func hand(_ view: PanelView = .recordings) -> Hand {
    var hand = Hand(20, 4, view)
    hand.openRecordings()
    return hand
  }

  private func row(_ hand: inout Hand) -> String { hand.picture().rows.first { $0.hasPrefix("→") } ?? "" }

  @Test("A press plays the recording at the cursor and closes the menu", arguments: [0, 1, 2, 3])
  func plays(_ place: Int) {
    var hand = hand()
    #expect(hand.panel.showsRecordings)
    hand.step(place)
    hand.press(.select)
    #expect(hand.orders == [.playRecording(hand.view.shelf?.names[place] ?? "")])
    #expect(hand.panel.isFree && !hand.panel.showsRecordings)
  }

  @Test("The keys next, previous, up, down and select are enough to play a recording")
  func buttons() {
    var hand = Hand(16, 2, .recordings)
    hand.press(.menu)
    for _ in 0..<20 where !row(&hand).hasPrefix("→Recordings") { hand.press(.next) }
    hand.press(.select)
    hand.wait(300)
    hand.press(.next)
    hand.wait(300)
    hand.press(.down)
    hand.wait(300)
    hand.press(.up)
    #expect(row(&hand).hasPrefix("→Nina"))
    hand.wait(300)
    hand.press(.previous)
    hand.press(.select)
    #expect(hand.orders == [.playRecording("FIP 2026-11-28 20.00.mp3")])
  }

  @Test("A long press asks before it deletes, and the list stays at its place")
  func deletes() {
    var hand = hand()
    hand.step(1)
    hand.press(.mode)
    #expect(hand.picture().rows.last == "→Delete?        [no]" && hand.panel.showsRecordings)
    hand.press(.select)
    #expect(hand.orders.isEmpty && row(&hand).hasPrefix("→Nina"))
    hand.press(.mode)
    hand.turn(1)
    hand.turn(-1)
    hand.press(.select)
    #expect(hand.orders.isEmpty && row(&hand).hasPrefix("→Nina"))
    hand.press(.mode)
    hand.turn(1)
    hand.press(.select)
    #expect(hand.orders == [.deleteRecording("Nina Simone - I Wish.mp3")] && row(&hand).hasPrefix("→Nina"))
    hand.view.shelf = .recordings(hand.view.shelf?.all.filter { !$0.name.hasPrefix("Nina") } ?? [])
    #expect(row(&hand) == "→01 Björk")
  }

  @Test("A question about a recording that is gone changes nothing else")
  func gone() {
    var hand = hand()
    hand.press(.mode)
    hand.view.shelf = .recordings([])
    hand.turn(1)
    hand.press(.select)
    #expect(hand.orders == [.deleteRecording("FIP 2026-11-28 20.00.mp3")])
    #expect(hand.picture().rows[0] == "No recordings")
    hand.step(3)
    hand.press(.select)
    #expect(hand.orders.count == 1 && row(&hand).hasPrefix("→Recordings"))
  }

  @Test("A long press, the menu key and the last entry lead back")
  func back() {
    var hand = hand()
    hand.press(.mode, .mode)
    #expect(row(&hand).hasPrefix("→FIP"))
    hand.press(.mode, .menu)
    #expect(row(&hand).hasPrefix("→FIP"))
    hand.press(.menu)
    #expect(row(&hand).hasPrefix("→Recordings"))
    hand.press(.select)
    hand.step(-1)
    #expect(row(&hand) == "→Back")
    hand.press(.mode)
    #expect(row(&hand).hasPrefix("→Recordings"))
    hand.press(.select)
    hand.step(4)
    #expect(row(&hand) == "→Back")
    hand.step(1)
    #expect(row(&hand).hasPrefix("→FIP"))
    hand.step(-1)
    hand.press(.select)
    #expect(row(&hand).hasPrefix("→Recordings") && hand.orders.isEmpty)
  }

  @Test(
    "A sentence in place of the list leads back by a press, and nothing is deleted",
    arguments: [PanelShelf.reading, .slow, .missing, .unreadable, .recordings([])])
  func sentences(_ shelf: PanelShelf) {
    for action in [PanelAction.select, .mode, .menu] {
      var hand = hand(.shelf(shelf))
      hand.turn(1)
      hand.press(action)
      #expect(row(&hand).hasPrefix("→Recordings") && hand.orders.isEmpty)
    }
  }

  @Test("The recordings close by themselves, and a room has none")
  func time() {
    var hand = hand()
    hand.wait(15_000)
    #expect(hand.panel.isFree)
    var room = Hand(20, 4, .room { $0.rooms = PanelView.housed.rooms })
    room.press(.menu)
    #expect(!room.picture().rows.joined().contains("Recordings"))
  }

  @Test("A fast turn moves far, and stops at both ends")
  func fast() {
    var hand = hand(.shelf(.recordings((1...400).map { PanelShelf.Entry("\($0).mp3", title: "\($0)") })))
    hand.turn(30)
    #expect(!["→31", "→30", "→1"].contains(row(&hand)))
    hand.turn(200)
    #expect(row(&hand) == "→Back")
  }
}

extension PanelShelf {
  var all: [Entry] { if case .recordings(let entries) = self { entries } else { [] } }
  var names: [String] { all.map(\.name) }
}
