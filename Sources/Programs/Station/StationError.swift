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
      "\(path.printable) exceeds a limit: 256 MiB for an audio file, 1 GiB for all audio files, 1 MiB for a file of "
        + "titles. Use shorter files."
    case .noAudio(let path):
      "\(path.printable) contains no MP3 or AAC (ADTS) audio. Use an .mp3 or .aac file."
    case .noMounts:
      "No file to play. Name a file, or a folder with .mp3 or .aac files."
    case .tooManyMounts(let limit):
      "Too many files: a station has at most \(limit) mounts. Use fewer files."
    case .duplicateMount(let name):
      "Two files have the name \(name.printable), which is also the mount's name. Rename one of them."
    case .badTitleLine(let path, let line):
      "Line \(line) of \(path.printable) is not a title. Write the start in seconds, a tab or space, and the title."
    case .cannotListen(let address, let port, let reason):
      "Cannot listen on \(address.printable), port \(port): \(reason). Choose another with --port or --address."
    case .systemFailure(let call, let reason):
      "The station cannot run: \(call) failed (\(reason))."
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
