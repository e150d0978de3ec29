import PanelWords

extension KnobMode {
  /// What the display calls it.
  var word: String {
    switch self {
    case .tune, .volume: rawValue
    case .scrub: "time"
    }
  }
}
