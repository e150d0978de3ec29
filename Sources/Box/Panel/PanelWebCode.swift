/// The code by which one signs in at the web panel.
public struct PanelWebCode: Equatable, Sendable {
  /// Where the web panel is, as a person types it.
  public let address: String
  /// 8 letters and digits.
  public let code: String
  /// Whether it was drawn just now, so that it shows itself.
  public let isNew: Bool
  /// Whether somebody has signed in by it, so that it is shown only where it is asked for.
  public let isUsed: Bool

  /// A code for the web panel at an address.
  public init(address: String, code: String, isNew: Bool, isUsed: Bool = false) {
    (self.address, self.code, self.isNew, self.isUsed) = (address, code, isNew, isUsed)
  }
}

/// When the code shows itself: from the moment that it is drawn, or asked for, until somebody signs in, or touches the
/// panel.
struct WebCodeWatch: Equatable {
  /// The code that was shown last.
  private var shown: String?
  /// Whether somebody had signed in by it when it was looked at last.
  private var wasUsed = false
  /// Whether it is shown wherever nothing else is.
  private(set) var isOpen = false

  /// Takes what is known of the code; whether it is to be shown now, over what there is.
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

  /// It is shown, since somebody asked for it.
  mutating func show(_ code: PanelWebCode) { (shown, isOpen) = (code.code, true) }

  /// Somebody touched the panel.
  mutating func leave() { isOpen = false }
}
