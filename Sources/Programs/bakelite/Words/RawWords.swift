import Glibc

/// The raw bytes of command-line words: file names and titles may be invalid UTF-8, unlike a `String`.
enum RawWords {
  /// Returns the bytes of each word on the command line, or its UTF-8 if it is not there. `words`: in that order.
  static func bytes(of words: some BidirectionalCollection<String>) -> [[UInt8]] {
    var given = commandLine
    var found: [[UInt8]] = []
    // Searches from the end, because words before the command may be equal.
    for word in words.reversed() {
      let place = given.lastIndex { String(decoding: $0, as: UTF8.self).utf8.elementsEqual(word.utf8) }
      found.append(place.map { given[$0] } ?? Array(word.utf8))
      if let place { given.removeSubrange(place...) }
    }
    return found.reversed()
  }

  private static var commandLine: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      CommandLine.unsafeArgv[index].map { word in (0..<Int(strlen(word))).map { UInt8(bitPattern: word[$0]) } }
    }
  }
}
