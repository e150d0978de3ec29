/// The reason why a station cannot start, as a sentence for its owner.
public enum StationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder cannot be read.
  case unreadable(path: String, reason: String)
  /// The file exceeds the size limit.
  case tooLarge(path: String)
  /// The file has no MPEG audio or ADTS frames.
  case noAudio(path: String)
  /// The paths contain no files.
  case noMounts
  /// More files than `limit` were given.
  case tooManyMounts(limit: Int)
  /// Two files would have the same address.
  case duplicateMount(name: String)
  /// A line of a title list is not a time and a title.
  case badTitleLine(path: String, line: Int)
  /// The port cannot be used.
  case cannotListen(address: String, port: UInt16, reason: String)
  /// A required system call failed.
  case systemFailure(call: String, reason: String)

  /// The sentence for the owner.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "Cannot read \(path.printable): \(reason). Check the path and its permissions."
    case .tooLarge(let path):
      "\(path.printable) is too large for this station, which holds its files in memory: "
        + "256 MiB each and 1 GiB together are the most. Give it shorter files."
    case .noAudio(let path):
      "\(path.printable) holds no MP3 or AAC (ADTS) audio. Give an .mp3 or .aac file."
    case .noMounts:
      "There is nothing to play. Give a file, or a folder that holds .mp3 or .aac files."
    case .tooManyMounts(let limit):
      "There are too many files: a station has \(limit) mounts at most. Give it fewer."
    case .duplicateMount(let name):
      "Two files are called \(name.printable), and a mount takes its name from its file. Rename one of them."
    case .badTitleLine(let path, let line):
      "Line \(line) of \(path.printable) is not a title. Write the second it begins at, a tab or space, and the title."
    case .cannotListen(let address, let port, let reason):
      "Cannot listen on \(address.printable), port \(port): \(reason). Choose another with --port or --address."
    case .systemFailure(let call, let reason):
      "The station cannot go on: \(call) failed (\(reason))."
    }
  }
}

extension String {
  /// The text without control characters and line breaks.
  var printable: String { String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isControl })) }
}

extension Unicode.Scalar {
  var isControl: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
