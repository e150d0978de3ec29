/// The version of the engine and the programs.
public enum Version {
  /// The number, such as "1.2.3".
  public static let text = "0.1.0"
  /// The User-Agent of the programs' requests.
  public static let userAgent = "Bakelite/\(text)"
}
