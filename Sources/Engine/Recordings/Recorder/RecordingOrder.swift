/// The target and options of a recording.
public struct RecordingOrder: Equatable, Sendable {
  /// The client that names the file, which decides the allowed paths.
  public enum Reach: Sendable {
    /// Any path; relative to the working directory unless it starts with "/".
    case anywhere
    /// An absolute path, or a name in the recordings folder.
    case machine
    /// Only a name in the recordings folder.
    case folder
  }

  /// The file; the station decides the codec, whatever the extension.
  public var path: String
  /// The allowed paths.
  public var reach: Reach
  /// True to continue an existing recording instead of replacing it.
  public var appends: Bool
  /// True to reconnect first, so that the file starts with a connection's first packet.
  public var resets: Bool
  /// True if `path` is a folder with a file for each title.
  public var splits: Bool

  /// True if `path` may be anywhere; otherwise it is a name in the recordings folder.
  var isFree: Bool { reach == .anywhere || reach == .machine && path.hasPrefix("/") }

  /// True to create a file with a number in its name if the file exists. Only for names in the recordings folder.
  public var isNew = false

  /// Turns a text, such as a station's name, into a file name that every file system accepts. A long text is cut before
  /// the stamp, which makes the name unique.
  public static func name(_ text: String, stamp: String) -> String { FileName.safe(text, stamp: stamp) }

  /// Creates an order.
  public init(
    _ path: String, reach: Reach = .anywhere, appends: Bool = false, resets: Bool = false, splits: Bool = false
  ) {
    self.path = path
    self.reach = reach
    self.appends = appends
    self.resets = resets
    self.splits = splits
  }
}
