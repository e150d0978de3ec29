import Directory
import Http
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

  /// Sets the source of the directory; each call of `source` starts to open the file. `onChange`: called after the
  /// directory was replaced.
  func use(_ source: @escaping () -> DirectoryState, onChange: @escaping () -> Void) {
    (self.source, self.onChange) = (source, onChange)
  }

  /// The current state. Each access starts to open the directory's file.
  var state: State {
    switch source() {
    case .absent, .damaged: tree = nil
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

  /// Returns the station of an address that the current directory sent to a client; nil for other addresses.
  func song(of address: String) -> DirectorySong? { tree?.reportedStation(address) }

  /// Returns the networks that an address may lead to. Only addresses sent from the directory have a limit.
  func reach(of address: String) -> AddressPolicy { reportedAddresses.has(address) ? reach : .anywhere }

  /// Records an address that a client receives from a source other than the tree. Ignores an address outside the
  /// directory's reach.
  func record(_ address: String) { if reach.allows(StationAddress(address)) { reportedAddresses.insert(address) } }

  func name(of address: String) -> String { song(of: address)?.entry.name ?? "" }
}
