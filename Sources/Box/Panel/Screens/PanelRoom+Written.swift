extension PanelRoom {
  /// A copy whose name is the number if no character of the name can be written.
  func written(by typesetter: Typesetter) -> PanelRoom {
    guard typesetter.cells(name).isEmpty else { return self }
    return PanelRoom(number: number, name: "\(number)", isConnected: isConnected, volume: volume, isMuted: isMuted)
  }
}
