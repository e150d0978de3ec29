/// The stages between power on and the first station.
public enum BootStage: Int, CaseIterable, Sendable {
  /// Reading the files.
  case starting
  case soundCard
  /// Tuning to the last station.
  case station
}
