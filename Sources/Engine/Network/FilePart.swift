/// What one connection is to bring of a file, and what it has.
struct FilePart {
  /// The byte that was asked for first; nil where the whole was.
  var firstByte: Int?
  /// Bytes of its answer that came before on another connection.
  var skip = 0
  /// Whether it brought bytes that were not there.
  var hasBroughtNew = false
  /// What its head alone decided; nil where it is read.
  var turn: Turn?

  /// What follows on an answer that is not read.
  enum Turn {
    /// The whole is asked for.
    case anew
    /// What becomes of the file.
    case file(FileProgress.Turn)
  }
}
