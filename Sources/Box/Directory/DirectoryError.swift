import System

/// Why the directory's file or a list of stations cannot be used.
public enum DirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no file: nothing was fetched yet.
  case absent
  /// The file is no directory.
  case foreign
  /// The file has another version of the format.
  case otherVersion(Int)
  /// The file is not as it was written.
  case damaged
  /// The file cannot be read, for this errno.
  case unreadable(Int32)
  /// The file cannot be written, for this errno.
  case unwritable(Int32)
  /// Another program writes the directory.
  case busy
  /// The list holds no station that could be played.
  case empty
  /// What came instead of a list.
  case notAList(Content)
  /// The list breaks its format's rules in this line.
  case malformed(line: Int)
  /// The list ends before its end.
  case cutOff
  /// The list is longer than a directory can be.
  case tooLarge

  /// What comes instead of a list.
  public enum Content: Hashable, Sendable {
    case nothing, html, json, compressed, otherXml, otherText
  }

  /// What happened and what to do, as a sentence.
  public var description: String {
    switch self {
    case .absent: "There is no station directory yet: fetch it with `bakelite find --update`."
    case .foreign: "The file is not a station directory: check its path, or remove it and fetch the directory anew."
    case .otherVersion(let version):
      "The station directory has version \(version) of its format, which this program does not read: fetch it anew."
    case .damaged: "The station directory is damaged: fetch it anew with `bakelite find --update`."
    case .unreadable(let code): "The station directory cannot be read (\(errnoText(code, isCapitalized: true)))."
    case .unwritable(let code): "The station directory cannot be written (\(errnoText(code, isCapitalized: true)))."
    case .busy: "Another program is updating the station directory: try again when it has finished."
    case .empty: "The list holds no station: the directory stays as it was."
    case .notAList(let content): "The server sent \(content.words) and not a list of stations: try another server."
    case .malformed(let line): "The list of stations cannot be read at line \(line): try another server."
    case .cutOff: "The list of stations ends too early: try again."
    case .tooLarge: "The list of stations is longer than a directory can be: try another server."
    }
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
