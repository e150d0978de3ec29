/// The part of a file that one connection delivers.
struct FilePart {
  /// First requested byte; nil for the whole file.
  var firstByte: Int?
  /// Remaining bytes of the response that an earlier connection delivered.
  var skip = 0
  var hasNewBytes = false
  /// The decision made by the response head alone; nil if the body is read.
  var turn: Turn?

  enum Turn {
    /// Request the whole file.
    case requestWhole
    /// Request the original address again, or a part of another version.
    case requestAgain
    case file(FileProgress.Turn)
  }
}
