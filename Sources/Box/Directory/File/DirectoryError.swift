import Glibc
import System

/// The reason why a directory file or a station list is unusable.
public enum DirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not exist: no list was fetched yet.
  case absent
  /// The file is not a station directory.
  case foreign
  /// The file has another version of the format.
  case otherVersion(Int)
  /// The file was changed after it was written.
  case damaged
  /// The file cannot be read; the value is the errno.
  case unreadable(Int32)
  /// The file at this path cannot be written; an empty path is the directory's path. The value is the errno; `ELOOP` if
  /// a symbolic link is not followed.
  case unwritable(Int32, at: String = "")
  /// Another program is writing the directory.
  case busy
  /// The list contains no playable station.
  case empty
  case notAList(Content)
  /// The list is malformed in this line of XML, or in this row of CSV.
  case malformed(line: Int)
  case cutOff
  case tooLarge

  /// The content of a response that is not a list.
  public enum Content: Hashable, Sendable {
    case nothing, html, json, compressed, otherXml, otherText
  }

  /// One sentence: event and remedy.
  public var description: String {
    switch self {
    case .absent: "There is no station directory yet: fetch it with `bakelite find --update`."
    case .foreign: "The file is not a station directory: check its path, or remove it and fetch the directory again."
    case .otherVersion(let version):
      "The station directory has version \(version) of its format, which this program cannot read: fetch it again "
        + "with `bakelite find --update`."
    case .damaged: "The station directory is damaged: fetch it again with `bakelite find --update`."
    case .unreadable(let code):
      "The station directory cannot be read (\(errnoText(code, isCapitalized: true))): run the command with sudo, or "
        + "set [directory] path to a file that can be read."
    case .unwritable(let code, let path): Self.unwritable(code, path.cleaned(most: 4_096))
    case .busy: "Another program is updating the station directory: try again when it has finished."
    case .empty: "The list contains no station: the directory is unchanged."
    case .notAList(let content): "The server sent \(content.words) and not a list of stations: try another server."
    case .malformed(let line): "The list of stations cannot be read at line \(line): try another server."
    case .cutOff: "The list of stations ends too early: try again."
    case .tooLarge: "The list of stations is longer than a directory can be: try another server."
    }
  }

  private static func unwritable(_ code: Int32, _ path: String) -> String {
    let name = "The station directory" + (path.isEmpty ? "" : " \(path)")
    if code == ELOOP {
      return "\(name) is a symbolic link that root does not own: remove the link, or set [directory] path."
    }
    let remedy =
      switch code {
      case ENOSPC, EDQUOT: "free some space, or set [directory] path to a file elsewhere"
      case EIO, EROFS: "check the disk, or set [directory] path to a file elsewhere"
      case ENOENT, ENOTDIR: "make its folder, or set [directory] path to a file in one that is there"
      default: "run the command with sudo, or set [directory] path to a file in a folder of your own"
      }
    return "\(name) cannot be written (\(errnoText(code, isCapitalized: true))): \(remedy)."
  }
}

extension DirectoryError.Content {
  fileprivate var words: String {
    switch self {
    case .nothing: "nothing"
    case .html: "a web page"
    case .json: "JSON"
    case .compressed: "compressed bytes"
    case .otherXml: "another kind of XML"
    case .otherText: "something else"
    }
  }
}
