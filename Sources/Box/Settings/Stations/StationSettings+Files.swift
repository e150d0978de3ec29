import Units

/// Files of this machine, which a client and a foreign list must not choose.
extension StationSettings {
  /// True if an entry of `fallback` is a file or a folder of this machine.
  static func isPath(_ fallback: String) -> Bool {
    ["/", "~/", ".", "file:"].contains { fallback.lowercased().hasPrefix($0) }
  }

  /// Returns true if an address, a fallback or the file of a secret is on this machine. Ignores those of `known`.
  public func opensFiles(besides known: StationSettings? = nil) -> Bool {
    let isAddress = url != known?.url && url.isFile
    let isAlternative = alternatives.contains { other in
      let isNew = known?.alternatives.contains(other) != true
      return isNew && (other.url != known?.url && other.url.isFile || other.user?.hasPrefix("@") == true)
    }
    let isFallback = fallback?.contains { Self.isPath($0) && known?.fallback?.contains($0) != true } == true
    let isSecret = user != known?.user && user?.hasPrefix("@") == true
    return isAddress || isAlternative || isFallback || isSecret
  }
}

extension StationAddress {
  fileprivate var isFile: Bool { unredacted.lowercased().hasPrefix("file:") }
}
