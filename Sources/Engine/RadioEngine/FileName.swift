import Framing

/// A name that any file system takes, whoever wrote what it is made of.
enum FileName {
  /// A file's name of a title: no separators, no hidden files, none of what FAT and SMB refuse; 120 bytes at most.
  static func safe(_ text: String) -> String {
    var name = String.UnicodeScalarView()
    var byteCount = 0
    for scalar in DisplayText.clean(text).unicodeScalars {
      byteCount += UTF8.width(scalar)
      guard byteCount <= 120 else { break }
      name.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar)
    }
    var trimmed = Substring(String(name))
    while let first = trimmed.first, first == "." || first == " " || first == "-" { trimmed.removeFirst() }
    while let last = trimmed.last, last == "." || last == " " { trimmed.removeLast() }
    return trimmed.isEmpty ? "untitled" : String(trimmed)
  }

  /// A title as a name: "Artist - Title".
  static func safe(_ title: Title) -> String { safe(title.artist.map { "\($0) - \(title.track)" } ?? title.text) }

  private static let slash = UInt8(ascii: "/")

  /// The parts of a name within a folder; nil where it leads out of it, or is none. A mark that combines with a "/"
  /// makes another `Character` of it, but the kernel sees bytes.
  static func parts(_ name: String) -> [String]? {
    guard !name.isEmpty, name.utf8.count < 1_024, name.utf8.first != slash, !name.utf8.contains(0) else { return nil }
    let parts = name.utf8.split(separator: slash, omittingEmptySubsequences: false).map { String(Substring($0)) }
    let isWithin = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && part.utf8.count <= 255
        && part.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
    }
    return isWithin ? parts : nil
  }

  /// The path of the cue sheet beside a recording.
  static func cue(_ path: String) -> String {
    let name = path.utf8.lastIndex(of: slash).map { path.utf8[path.utf8.index(after: $0)...] } ?? path.utf8[...]
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return path + ".cue" }
    return path[..<dot] + ".cue"
  }

  /// The folder of a path, without the "/" behind it, and the name in it; nil where it has no folder.
  static func split(_ path: String) -> (folder: String, name: String)? {
    path.utf8.lastIndex(of: slash).map { place in
      let folder = place == path.startIndex ? "/" : String(path[..<place])
      return (folder, String(path[path.utf8.index(after: place)...]))
    }
  }

  /// The last part of a path.
  static func last(_ path: String) -> String {
    path.utf8.split(separator: slash).last.map { String(Substring($0)) } ?? path
  }
}
