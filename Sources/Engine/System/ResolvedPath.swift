import Glibc

/// Where a path leads, from the root on and without symbolic links (realpath(3)); nil where that is nowhere.
public func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
