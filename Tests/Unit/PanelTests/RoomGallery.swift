import Panel

extension Gallery {
  static let roomScenes: [Scene] = [
    ("rooms", .housed, { $0.press(.menu, .select) }),
    (
      "rooms, the end", .housed,
      {
        $0.press(.menu, .select); $0.turn(4)
      }
    ),
    ("a room", .housed, { $0.press(.menu, .select, .select) }),
    (
      "a room, muted", .housed,
      {
        $0.press(.menu, .select); $0.turn(1); $0.press(.select)
      }
    ),
    (
      "a room, away", .housed,
      {
        $0.press(.menu, .select); $0.turn(2); $0.press(.select)
      }
    ),
    ("menu, rooms", .housed, { $0.press(.menu) }),
    ("as a room", .room(), { _ in }),
    (
      "as a room, muted",
      .room {
        $0.isMuted = true; $0.artist = ""
      }, { _ in }
    ),
    (
      "as a room, paused",
      .room {
        $0.state = .paused; $0.isAudible = false
      }, { _ in }
    ),
    (
      "as a room, no title",
      .room {
        $0.title = ""; $0.artist = ""; $0.volume = 100
      }, { _ in }
    ),
    (
      "as a room, stopped",
      .room {
        $0.state = .stopped; $0.isAudible = false; $0.clock = nil
      }, { _ in }
    ),
    (
      "as a room, server gone",
      .room {
        $0.state = .stopped; $0.isAudible = false; $0.fault = .snapserverGone; $0.station = "Kitchen"
      }, { _ in }
    ),
    (
      "as a room, no snapserver",
      .room {
        $0.state = .stopped; $0.isAudible = false; $0.fault = .snapserverStrange; $0.station = ""; $0.room = ""
      }, { _ in }
    ),
    (
      "as a room, client gone",
      .room {
        $0.state = .stopped; $0.isAudible = false; $0.fault = .snapclientGone; $0.station = ""
      }, { _ in }
    ),
  ]
}
