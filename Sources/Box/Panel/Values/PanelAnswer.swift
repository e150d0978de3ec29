/// The owner's possible answers.
public enum PanelAnswer: CaseIterable, Sendable {
  /// Listen to the other address.
  case listen
  /// Accept the other address for the preset.
  case accept
  /// Leave the preset unchanged, permanently.
  case refuse
}
