import Units

extension ControlCall {
  /// Replies from the directory in steps; waits up to 10 s until it is open. `orElse`: replies without
  /// a directory.
  mutating func browse(
    orElse absence: @escaping (inout ControlAnswer) throws(ControlRefusal) -> Void = { _ throws(ControlRefusal) in
      throw .noDatabase
    },
    begin: @escaping (DirectoryTree) throws(ControlRefusal) -> AnswerStep
  ) throws(ControlRefusal) {
    switch context.directory.state {
    case .open(let tree): answer.continueInSteps(try begin(tree))
    case .absent: try absence(&answer)
    case .opening:
      let (context, end) = (context, context.clients.now() + Duration(milliseconds: 10_000))
      var step: AnswerStep?
      answer.continueInSteps { answer throws(ControlRefusal) in
        if let step { return try step(&answer) }
        switch context.directory.state {
        case .open(let tree): step = try begin(tree)
        case .opening where context.clients.now() < end: return .waits
        case .absent, .opening:
          try absence(&answer)
          return .done
        }
        return .more
      }
    }
  }
}
