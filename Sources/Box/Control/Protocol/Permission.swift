/// The permissions of a client, in MPD's groups.
public struct Permission: OptionSet, Hashable, Sendable {
  /// The groups as bits.
  public let rawValue: Int

  /// Creates a permission from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Status and search.
  public static let read = Permission(rawValue: 1)
  /// Adding to the queue.
  public static let add = Permission(rawValue: 2)
  /// Playback, and changes of the queue.
  public static let player = Permission(rawValue: 4)
  /// Changes beyond the queue, such as recording.
  public static let control = Permission(rawValue: 8)
  /// Outputs and partitions.
  public static let admin = Permission(rawValue: 16)
  static let never = Permission(rawValue: 32)

  /// All groups.
  public static let all: Permission = [.read, .add, .player, .control, .admin]

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
