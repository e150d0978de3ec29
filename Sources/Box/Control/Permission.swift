/// What a client may do; MPD's own groups.
public struct Permission: OptionSet, Hashable, Sendable {
  /// The groups as bits.
  public let rawValue: Int

  /// A set of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// May ask.
  public static let read = Permission(rawValue: 1)
  /// May add to the queue.
  public static let add = Permission(rawValue: 2)
  /// May play, and change the queue.
  public static let player = Permission(rawValue: 4)
  /// May do what goes beyond the queue, such as recording.
  public static let control = Permission(rawValue: 8)
  /// May set up outputs and partitions.
  public static let admin = Permission(rawValue: 16)
  /// What nobody may.
  static let never = Permission(rawValue: 32)

  /// Everything.
  public static let all: Permission = [.read, .add, .player, .control, .admin]

  /// As the documentation calls it.
  var name: String {
    switch self {
    case []: "none"
    case .read: "read"
    case .add: "add"
    case .player: "player"
    case .control: "control"
    case .admin: "admin"
    default: "nobody"
    }
  }
}
