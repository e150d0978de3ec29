/// The menu's speeds for long titles: milliseconds between two steps.
enum ScrollSpeed: Int, CaseIterable {
  case slow = 500
  case normal = 350
  case fast = 200

  /// The speed nearest to a setting, which may have any value.
  init(milliseconds: Int) { self = Self.allCases.first { $0.rawValue <= milliseconds } ?? .fast }
}
