/// What is to be recorded, and to where.
public struct RecordingOrder: Equatable, Sendable {
  /// Who names the file, and so where it may lie.
  public enum Reach: Sendable {
    /// A path anywhere; one that does not begin with "/" is of the working directory.
    case anywhere
    /// A path from the root on, or a name within the recordings folder.
    case machine
    /// A name within the recordings folder, and nothing else.
    case folder
  }

  /// The file; its codec is the station's, whatever its name says.
  public var path: String
  /// Where the file may lie.
  public var reach: Reach
  /// Whether a recording that is there is gone on with, instead of replaced.
  public var appends: Bool
  /// Whether the station is tuned to anew first, so that the file begins with a connection's first packet.
  public var resets: Bool
  /// Whether `path` is a folder, and each title gets a file of its own in it.
  public var splits: Bool

  /// Whether `path` may lead anywhere; else it is a name within the recordings folder.
  var isFree: Bool { reach == .anywhere || reach == .machine && path.hasPrefix("/") }

  /// A file's name of a text, such as a station's name: one that any file system takes.
  public static func name(_ text: String) -> String { FileName.safe(text) }

  /// An order.
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
