import Directory
import Network
import Units

/// The station directory for clients of the protocol. Control thread only.
final class DirectoryBrowser {
  private var source: () -> DirectoryState = { .absent }
  private var onChange: () -> Void = {}
  private var tree: DirectoryTree?

  let reportedAddresses = ReportedAddresses()
  private var reach = AddressPolicy(namedBy: "")

  enum State {
    case absent, opening
    case open(DirectoryTree)
  }

  /// Sets the source of the directory; a call of `source` opens the copy. `onChange` reports another copy.
  func use(_ source: @escaping () -> DirectoryState, onChange: @escaping () -> Void) {
    (self.source, self.onChange) = (source, onChange)
  }

  /// The current state; reading it opens the copy.
  var state: State {
    switch source() {
    case .absent: tree = nil
    case .opening: return .opening
    case .open(let directory):
      if let tree, tree.use(directory) { return .open(tree) }
      let (made, isOther) = (DirectoryTree(directory, reportedAddresses), tree != nil)
      reach = made.reach
      tree = made
      if isOther { onChange() }
      return .open(made)
    }
    return .absent
  }

  /// The station of an address that a client received from the current copy; nil otherwise.
  func song(of address: String) -> DirectorySong? { tree?.reportedStation(address) }

  /// The networks that an address may lead to: limited for an address that a client received from the directory.
  func reach(of address: String) -> AddressPolicy { reportedAddresses.has(address) ? reach : .anywhere }

  /// Records an address not sent by the tree; ignores one outside the directory's reach, which another server named.
  func record(_ address: String) { if reach.allows(StationAddress(address)) { reportedAddresses.insert(address) } }

  func name(of address: String) -> String { song(of: address)?.entry.name ?? "" }
}

extension ControlCall {
  /// Replies from the directory in steps, after waiting up to 10 s for its opening; `orElse` replies if absent.
  mutating func browse(
    orElse absence: @escaping (inout ControlAnswer) throws(ControlRefusal) -> Void = { _ throws(ControlRefusal) in
      throw .noDatabase
    },
    begin: @escaping (DirectoryTree) throws(ControlRefusal) -> AnswerStep
  ) throws(ControlRefusal) {
    switch commands.directory.state {
    case .open(let tree): answer.continueInSteps(try begin(tree))
    case .absent: try absence(&answer)
    case .opening:
      let (commands, end) = (commands, commands.clients.now() + Duration(milliseconds: 10_000))
      var step: AnswerStep?
      answer.continueInSteps { answer throws(ControlRefusal) in
        if let step { return try step(&answer) }
        switch commands.directory.state {
        case .open(let tree): step = try begin(tree)
        case .opening where commands.clients.now() < end: return .waits
        case .absent, .opening:
          try absence(&answer)
          return .done
        }
        return .more
      }
    }
  }
}
