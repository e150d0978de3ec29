import Panel
import PanelWords
import Testing
import Units

extension PanelView {
  static var housed: PanelView {
    playing {
      $0.rooms = [
        PanelRoom(number: 1, name: "Kitchen", isConnected: true, volume: 74, isMuted: false),
        PanelRoom(number: 3, name: "Living room upstairs", isConnected: true, volume: 100, isMuted: true),
        PanelRoom(number: 4, name: "Bath", isConnected: false, volume: 9, isMuted: false),
        PanelRoom(number: 6, name: "Спальня", isConnected: true, volume: 0, isMuted: false),
      ]
    }
  }
}

@Suite struct RoomTests {
  private func hand(_ view: PanelView = .housed) -> Hand { Hand(20, 4, view) }

  @Test("The menu has an entry for existing rooms")
  func entry() {
    var (without, with) = (hand(.playing), hand())
    without.press(.menu)
    with.press(.menu)
    #expect(with.picture().rows[0].hasPrefix("→Rooms") && !without.picture().rows[0].hasPrefix("→Rooms"))
  }

  @Test("The knob alone selects, turns and mutes a room; a long press goes back")
  func knob() {
    var hand = hand()
    hand.press(.menu, .select)
    #expect(hand.picture().rows[0].hasPrefix("→Kitchen"))
    hand.turn(1)
    hand.press(.select)
    hand.turn(-3)
    #expect(hand.orders == Array(repeating: .room(3, volume: 98), count: 3))
    hand.orders = []
    hand.press(.select)
    #expect(hand.orders == [.muteRoom(3, false)])
    hand.press(.mode)
    #expect(hand.picture().rows[1].hasPrefix("→Living room"))
    hand.press(.mode)
    #expect(hand.orders.count == 2, "the knob's mode, since nothing is left to go back to")
  }

  @Test("The volume stays between 0 and 100, and is the room's current one")
  func volume() {
    var hand = hand()
    hand.press(.menu, .select, .select)
    hand.turn(1)
    hand.view.rooms[0] = PanelRoom(number: 1, name: "Kitchen", isConnected: true, volume: 99, isMuted: true)
    hand.turn(1)
    hand.view.rooms[0] = PanelRoom(number: 1, name: "Kitchen", isConnected: true, volume: 100, isMuted: true)
    hand.turn(1)
    #expect(hand.orders == [.room(1, volume: 76), .room(1, volume: 100)])
  }

  @Test("The last entry of the rooms leads to the menu; so does a removed room")
  func back() {
    var hand = hand()
    hand.press(.menu, .select)
    hand.turn(20)
    hand.press(.select)
    #expect(hand.picture().rows.joined().contains("→Rooms"))
    hand.press(.select, .select)
    hand.view.rooms.removeFirst()
    #expect(!hand.picture().rows.joined().contains("Kitchen"))
    hand.turn(1)
    hand.press(.select)
    #expect(hand.orders == [] && hand.picture().rows.joined().contains("→Rooms"))
    hand.view.rooms = []
    #expect(!hand.picture().rows.joined().contains("Rooms"))
  }

  @Test("A room's screen closes by itself, and is not the radio's volume")
  func time() {
    var hand = hand()
    hand.press(.menu, .select, .select)
    hand.turn(1, mode: .volume)
    #expect(hand.orders == [.volume(60)])
    hand.wait(20_000)
    #expect(hand.panel.isFree)
  }
}

extension PanelView {
  /// A box that is a room of another box's snapserver.
  static func room(_ change: (inout PanelView) -> Void = { _ in }) -> PanelView {
    var view = PanelView()
    (view.room, view.station, view.artist, view.title) = ("Kitchen", "Deutschlandfunk", "Nina Simone", "Feeling Good")
    (view.state, view.isAudible, view.volume) = (.playing, true, 58)
    (view.version, view.address, view.clock) = ("0.5", "192.168.1.21", PanelView.playing.clock)
    change(&view)
    return view
  }
}

@Suite struct RoomPanelTests {
  private func hand(_ view: PanelView = .room()) -> Hand {
    var hand = Hand(20, 4, view)
    var settings = PanelSettings()
    settings.knobMode = .volume
    hand.panel = FrontPanel(columns: 20, rows: 4, settings: settings)
    return hand
  }

  @Test("The knob is the volume, and a press mutes, also on the volume screen")
  func knob() {
    var hand = hand()
    hand.turn(1)
    hand.press(.select)
    #expect(hand.orders == [.volume(60), .mute(true)])
    hand.view.isMuted = true
    hand.wait(5_000)
    hand.press(.select)
    #expect(hand.orders.last == .mute(false))
  }

  @Test("A room's menu has rooms, info and back")
  func menu() {
    var hand = hand()
    hand.view.rooms = PanelView.housed.rooms
    hand.press(.menu)
    #expect(trimmed(hand.picture().rows) == ["→Rooms", " Info", " Back", ""])
    hand.turn(1)
    hand.press(.select)
    #expect(trimmed(hand.picture().rows) == ["Kitchen", "192.168.1.21", "Bakelite 0.5", ""])
  }

  private func trimmed(_ rows: [String]) -> [String] {
    rows.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
  }
}
