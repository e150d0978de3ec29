import Glibc

/// Returns the absolute path without symbolic links (realpath(3)); nil if the path does not exist.
public func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// Returns the resolved path if it exists. Otherwise returns an absolute path unchanged, or a relative path below the
/// working directory.
public func absolutePath(_ path: String) -> String {
  if let resolved = resolvedPath(path) { return resolved }
  guard !path.hasPrefix("/"), let folder = resolvedPath(".") else { return path }
  return "\(folder)/\(path)"
}
