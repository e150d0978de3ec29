import Control

extension DirectoryState {
  /// A copy that cannot be used is none for clients.
  init(_ state: DirectoryKeeper.State) {
    switch state {
    case .opening: self = .opening
    case .absent, .damaged: self = .absent
    case .open(let directory): self = .open(directory)
    }
  }
}
