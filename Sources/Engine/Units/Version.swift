/// Which version of the engine and of the programs this is.
public enum Version {
  /// Its number, such as "1.2.3".
  public static let text = "0.1.0"
}
