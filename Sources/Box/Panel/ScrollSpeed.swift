/// How fast a long title moves, as the menu offers it: milliseconds from one step to the next.
enum ScrollSpeed: Int, CaseIterable {
  case slow = 500
  case normal = 350
  case fast = 200

  /// The speed that is next to a setting, which may be any other.
  init(milliseconds: Int) { self = Self.allCases.first { $0.rawValue <= milliseconds } ?? .fast }
}
