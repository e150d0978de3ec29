import Panel

/// The rooms of a Snapcast server.
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
  ]
}
