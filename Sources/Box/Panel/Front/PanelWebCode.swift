/// The sign-in code of the web panel.
public struct PanelWebCode: Equatable, Sendable {
  /// The address of the web panel, as a person types it.
  public let address: String
  /// 8 letters and digits.
  public let code: String
  /// True for a new code, which appears by itself.
  public let isNew: Bool
  /// True after a sign-in, so that the code is shown only on request.
  public let isUsed: Bool

  /// Creates a code for the web panel at an address.
  public init(address: String, code: String, isNew: Bool, isUsed: Bool = false) {
    (self.address, self.code, self.isNew, self.isUsed) = (address, code, isNew, isUsed)
  }
}

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
