struct FaultText: Equatable, Sendable {
  let what: FittedText
  let doing: FittedText

  init(_ what: FittedText, _ doing: FittedText) {
    self.what = what
    self.doing = doing
  }
}
