import Directory
import Network
import Units

/// The station directory as clients of the protocol browse it. The control thread's.
final class DirectoryBrowser {
  private var source: () -> DirectoryState = { .absent }
  private var onChange: () -> Void = {}
  /// The copy that was asked for last.
  private var tree: DirectoryTree?

  /// What clients were told, also of a copy before.
  let told = ToldAddresses()
  private var reach = Reach(namedBy: "")

  /// Whether it can be browsed now.
  enum State {
    case absent, opening
    case open(DirectoryTree)
  }

  /// Browses what `source` gives; asking it has the copy opened. `onChange` is told of another copy in its place.
  func use(_ source: @escaping () -> DirectoryState, onChange: @escaping () -> Void) {
    (self.source, self.onChange) = (source, onChange)
  }

  /// Whether it can be browsed now; asking has it opened.
  var state: State {
    switch source() {
    case .absent: tree = nil
    case .opening: return .opening
    case .open(let directory):
      if let tree, tree.use(directory) { return .open(tree) }
      let (made, isOther) = (DirectoryTree(directory, told), tree != nil)
      reach = made.reach
      tree = made
      if isOther { onChange() }
      return .open(made)
    }
    return .absent
  }

  /// The station of an address that a client was told; nil where it was told none.
  func song(of address: String) -> DirectorySong? { tree?.told(address) }

  /// Where an address may lead: the directory's, where a client was told it, else anywhere.
  func reach(of address: String) -> Reach { told.has(address) ? reach : .anywhere }

  /// A client is told an address of the directory otherwise than by the tree. One that this directory may not lead to
  /// is another's, of a server in the owner's network.
  func note(_ address: String) { if reach.allows(StationAddress(address)) { told.note(address) } }

  /// What it is called; empty where a client was told none.
  func name(of address: String) -> String { song(of: address)?.entry.name ?? "" }
}

extension ControlCall {
  /// Answers from the directory: `begin` makes what makes the answer's pieces. Where the directory is being opened,
  /// that is waited for, ten seconds at most; where there is none, `orElse` answers.
  mutating func browse(
    orElse absence: @escaping (inout ControlAnswer) throws(ControlRefusal) -> Void = { _ throws(ControlRefusal) in
      throw .noDatabase
    },
    begin: @escaping (DirectoryTree) throws(ControlRefusal) -> AnswerStep
  ) throws(ControlRefusal) {
    switch commands.directory.state {
    case .open(let tree): answer.goOn(try begin(tree))
    case .absent: try absence(&answer)
    case .opening:
      let (commands, end) = (commands, commands.clients.now() + Duration(milliseconds: 10_000))
      var step: AnswerStep?
      answer.goOn { answer throws(ControlRefusal) in
        if let step { return try step(&answer) }
        switch commands.directory.state {
        case .open(let tree): step = try begin(tree)
        case .opening where commands.clients.now() < end: return .waits
        case .absent, .opening:
          try absence(&answer)
          return .done
        }
        return .goesOn
      }
    }
  }
}
