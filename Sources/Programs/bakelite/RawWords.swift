import Glibc

/// Words of the command line, byte by byte: the name of a file or of a song need not be UTF-8, and a `String` is.
enum RawWords {
  /// The bytes that the shell gave for words, which stand in this order on the command line; of others, their UTF-8.
  static func bytes(of words: some BidirectionalCollection<String>) -> [[UInt8]] {
    var given = commandLine
    var found: [[UInt8]] = []
    // From the end: what stands before a command is no word of it.
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
