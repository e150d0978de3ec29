/// One connection of a radio. Numbers are never reused, so late events of a closed connection are recognised.
struct ConnectionID: Hashable, Sendable {
  private let number: UInt64

  static let none = ConnectionID(number: 0)

  var next: ConnectionID { ConnectionID(number: number + 1) }
}
