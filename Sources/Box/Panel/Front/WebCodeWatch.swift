/// Decides when the code appears by itself: from its creation or a request until a sign-in or an input on the panel.
struct WebCodeWatch: Equatable {
  private var shown: String?
  private var wasUsed = false
  /// True if the code is shown unless another overlay is open.
  private(set) var isOpen = false

  /// Processes the current code; true if it should be shown now, over other overlays.
  mutating func showsItself(_ code: PanelWebCode?) -> Bool {
    guard let code, wasUsed || !code.isUsed else {
      (isOpen, wasUsed) = (false, code != nil)
      return false
    }
    wasUsed = code.isUsed
    guard code.isNew, !code.isUsed, code.code != shown else { return false }
    show(code)
    return true
  }

  mutating func show(_ code: PanelWebCode) { (shown, isOpen) = (code.code, true) }

  mutating func leave() { isOpen = false }
}
