import Control

extension DirectoryState {
  /// Converts the keeper's state; a damaged file becomes `absent`.
  init(_ state: DirectoryKeeper.State) {
    switch state {
    case .opening: self = .opening
    case .absent, .damaged: self = .absent
    case .open(let directory): self = .open(directory)
    }
  }
}
