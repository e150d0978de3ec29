import Units

/// Files of this machine, which a client and a foreign list must not choose.
extension StationSettings {
  /// Returns true if an address, a fallback or the file of a secret is on this machine. Ignores those of `known`.
  public func opensFiles(besides known: StationSettings? = nil) -> Bool {
    let isAddress = url != known?.url && url.isFile
    let isAlternative = alternatives.contains { other in
      guard known?.alternatives.contains(other) != true else { return false }
      // The address of `known` may become an alternative, with its file.
      let isOwn = other.url == known?.url
      return !isOwn && other.url.isFile || !(isOwn && other.user == known?.user) && other.user?.hasPrefix("@") == true
    }
    let isFallback = fallback?.contains { StationFallback($0).isPath && known?.fallback?.contains($0) != true } == true
    let isSecret = user != known?.user && user?.hasPrefix("@") == true
    return isAddress || isAlternative || isFallback || isSecret
  }
}

extension StationAddress {
  fileprivate var isFile: Bool { unredacted.lowercased().hasPrefix("file:") }
}
