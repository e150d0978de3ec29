/// How far an answer is.
enum AnswerProgress {
  /// It waits for something; it is asked again and again.
  case waits
  /// There is more of it.
  case goesOn
  /// It is whole.
  case done
}

/// Makes the next piece of an answer, in a millisecond or two; what it throws ends the answer.
typealias AnswerStep = (inout ControlAnswer) throws(ControlRefusal) -> AnswerProgress

/// An answer that is not whole yet, and the command that it answers.
struct PendingAnswer {
  let step: AnswerStep
  /// The command's name, and its place in a list of commands.
  let name: String
  let index: Int
  /// Whether there is more of it as soon as there is room, and nothing else is waited for.
  var isFlowing: Bool

  init(_ rest: ControlAnswer.Rest, to name: String, at index: Int) {
    (step, isFlowing) = (rest.step, rest.isReady)
    (self.name, self.index) = (name, index)
  }
}
