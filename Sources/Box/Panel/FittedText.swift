/// A text of the display in several forms, the longest first: the place where it stands decides which is shown.
struct FittedText: Equatable, Sendable {
  /// At least one.
  let forms: [String]

  /// A text of these forms, at least one.
  init(forms: [String]) {
    precondition(!forms.isEmpty, "a text has a form")
    self.forms = forms
  }

  /// A text of one form.
  init(_ form: String) { forms = [form] }
}

extension FittedText: ExpressibleByStringInterpolation {
  init(stringLiteral form: String) { self.init(form) }
}

extension FittedText: ExpressibleByArrayLiteral {
  init(arrayLiteral forms: String...) { self.init(forms: forms) }
}
