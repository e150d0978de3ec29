enum AnswerProgress {
  /// The reply waits for a condition; the step is polled.
  case waits
  case more
  case done
}

/// Produces the next piece of a reply within about 2 ms; an error ends the reply.
typealias AnswerStep = (inout ControlAnswer) throws(ControlRefusal) -> AnswerProgress

struct PendingAnswer {
  let step: AnswerStep
  let name: String
  let index: Int
  /// True if the next piece needs only room in the output.
  var isFlowing: Bool

  init(_ rest: ControlAnswer.Rest, to name: String, at index: Int) {
    (step, isFlowing) = (rest.step, rest.isReady)
    (self.name, self.index) = (name, index)
  }
}
