import Glibc

/// Where a path leads, from the root on and without symbolic links (realpath(3)); nil where that is nowhere.
public func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// A path from the root on: where it leads, or the same below the working directory where it leads nowhere.
public func absolutePath(_ path: String) -> String {
  if let resolved = resolvedPath(path) { return resolved }
  guard !path.hasPrefix("/"), let folder = resolvedPath(".") else { return path }
  return "\(folder)/\(path)"
}
