import Glibc

/// Creates a folder and its parents for the owner alone (`mkdir(2)`), but no folder in the root: a missing home stays
/// missing. May block if a disk is slow.
public func makePrivateFolder(_ path: String) {
  guard let slash = path.lastIndex(of: "/"), slash > path.startIndex, access(path, F_OK) != 0 else { return }
  makePrivateFolder(String(path[..<slash]))
  mkdir(path, 0o700)
}
