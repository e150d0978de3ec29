import Units

/// An entry of `fallback`: the name of a station, an address, or a path.
public struct StationFallback: CustomStringConvertible {
  private let text: String

  /// Creates an entry from its text.
  public init(_ text: String) { self.text = text }

  /// True for a file or a folder of this machine.
  public var isPath: Bool { ["/", "~/", ".", "file:"].contains { text.lowercased().hasPrefix($0) } }

  /// The text without secrets, also of a misspelt address.
  public var description: String {
    let mayBeAddress = !isPath && text.contains { $0 == "@" || $0 == "?" || $0 == "/" }
    return mayBeAddress ? StationAddress(text).description : text
  }
}
