extension PanelView {
  /// Codec and bit rate; empty if unknown.
  var format: String {
    let rate = bitRate > 0 ? "\(min(bitRate, 99_999)) kbit/s" : ""
    return [codec, rate].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
