/// A room of a Snapcast server, as the panel shows it.
public struct PanelRoom: Equatable, Sendable {
  /// Its number from 1 on, by which it is set.
  public let number: Int
  /// What it is called.
  public let name: String
  /// Whether its client is there.
  public let isConnected: Bool
  /// 0 to 100.
  public let volume: Int
  /// Whether nothing is heard there.
  public let isMuted: Bool

  /// A room.
  public init(number: Int, name: String, isConnected: Bool, volume: Int, isMuted: Bool) {
    (self.number, self.name, self.isConnected) = (number, name, isConnected)
    (self.volume, self.isMuted) = (max(0, min(100, volume)), isMuted)
  }

  /// The same, called by its number where nothing of its name can be written.
  func written(by typesetter: Typesetter) -> PanelRoom {
    guard typesetter.cells(name).isEmpty else { return self }
    return PanelRoom(number: number, name: "\(number)", isConnected: isConnected, volume: volume, isMuted: isMuted)
  }
}
