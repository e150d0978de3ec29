/// The first line of a file with a secret.
public enum SecretLine {
  /// Returns the probable mistake in a line: bytes that an editor does not show. Nil for a usual line.
  public static func problem(in line: String) -> String? {
    let scalars = line.unicodeScalars
    if scalars.first == "\u{FEFF}" {
      return "its first line starts with a byte order mark, which counts as a part of it; save the file without BOM"
    }
    if scalars.first?.properties.isWhitespace == true {
      return "its first line starts with a blank, which counts as a part of it; remove the blank"
    }
    if scalars.last?.properties.isWhitespace == true {
      return "its first line ends with a blank, which counts as a part of it; remove the blank"
    }
    return nil
  }

  /// Reads the first line of a file, and returns its problem; nil also for an unreadable file.
  public static func problem(inFile path: String) -> String? {
    (try? SmallFile.firstLine(path)).flatMap { problem(in: $0) }
  }
}
