/// A room of a Snapcast server, for the panel.
public struct PanelRoom: Equatable, Sendable {
  /// The number from 1, which identifies the room.
  public let number: Int
  /// The name.
  public let name: String
  /// True if the room's client is connected.
  public let isConnected: Bool
  /// The volume, 0 to 100.
  public let volume: Int
  /// True if the room is silent.
  public let isMuted: Bool

  /// Creates a room.
  public init(number: Int, name: String, isConnected: Bool, volume: Int, isMuted: Bool) {
    (self.number, self.name, self.isConnected) = (number, name, isConnected)
    (self.volume, self.isMuted) = (max(0, min(100, volume)), isMuted)
  }
}
