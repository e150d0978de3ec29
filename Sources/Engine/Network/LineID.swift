/// Identifies one connection of a radio. Numbers are never reused, so late events of a closed connection are
/// recognised.
struct LineID: Hashable, Sendable {
  private let number: UInt64

  static let none = LineID(number: 0)

  var next: LineID { LineID(number: number + 1) }
}
