import Control

extension DirectoryState {
  /// Clients see a damaged copy as absent.
  init(_ state: DirectoryKeeper.State) {
    switch state {
    case .opening: self = .opening
    case .absent, .damaged: self = .absent
    case .open(let directory): self = .open(directory)
    }
  }
}
