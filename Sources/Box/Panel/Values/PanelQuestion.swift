/// The question to the owner if a preset's station has moved to another address.
public struct PanelQuestion: Equatable, Sendable {
  /// The preset's name.
  public var preset: String
  /// The directory's name for the station at the other address.
  public var station: String
  /// The other address.
  public var address: String
  /// Host of the address, for the display.
  public var host: String
  /// True if the preset is tuned and fails, so that the question appears by itself.
  public var isUrgent = false

  /// Creates a question; `address` defaults to the host.
  public init(preset: String, station: String, host: String, address: String? = nil) {
    self.preset = preset
    self.station = station
    self.host = host
    self.address = address ?? host
  }

  func isSame(as other: PanelQuestion) -> Bool { (preset, address) == (other.preset, other.address) }
}
