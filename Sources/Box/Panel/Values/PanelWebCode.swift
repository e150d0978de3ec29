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
    self.address = address
    self.code = code
    self.isNew = isNew
    self.isUsed = isUsed
  }
}
