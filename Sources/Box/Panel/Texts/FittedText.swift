/// A display text in several forms, longest first; the available width selects one.
struct FittedText: Equatable, Sendable {
  let forms: [String]

  /// Creates a text; `forms` must not be empty.
  init(forms: [String]) {
    precondition(!forms.isEmpty, "a text has a form")
    self.forms = forms
  }

  init(_ form: String) { forms = [form] }
}

extension FittedText: ExpressibleByStringInterpolation {
  init(stringLiteral form: String) { self.init(form) }
}

extension FittedText: ExpressibleByArrayLiteral {
  init(arrayLiteral forms: String...) { self.init(forms: forms) }
}
