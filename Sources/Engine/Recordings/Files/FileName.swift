import Framing

/// Converts untrusted text to file names that every file system accepts.
enum FileName {
  /// Returns a title as a file name: no separators, not hidden, valid on FAT and SMB, at most 120 bytes.
  static func safe(_ text: String) -> String {
    let name = cleaned(text)
    return name.isEmpty ? "untitled" : name
  }

  /// Returns the file name of a text and a stamp, at most 120 bytes; cuts only the text.
  static func safe(_ text: String, stamp: String) -> String {
    let stamp = cleaned(stamp)
    let name = cleaned(text, most: max(0, 119 - stamp.utf8.count))
    return name.isEmpty ? stamp : "\(name) \(stamp)"
  }

  /// Returns the file name for a recording that gets another name: cleaned, and with the ending of `old`. Returns nil
  /// if the new name contains "/", or is empty after the cleaning.
  static func renamed(_ old: String, to new: String) -> String? {
    guard !new.utf8.contains(slash), let dot = old.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let ending = String(old[dot...])
    var stem = DisplayText.clean(new)
    if stem.lowercased().hasSuffix(ending.lowercased()) { stem.removeLast(ending.count) }
    stem = cleaned(stem)
    return stem.isEmpty ? nil : stem + ending
  }

  private static func cleaned(_ text: String, most: Int = 120) -> String {
    var name = String.UnicodeScalarView()
    var byteCount = 0
    for scalar in DisplayText.clean(text).unicodeScalars {
      byteCount += UTF8.width(scalar)
      guard byteCount <= most else { break }
      name.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar)
    }
    var trimmed = Substring(String(name))
    while let first = trimmed.first, first == "." || first == " " || first == "-" { trimmed.removeFirst() }
    while let last = trimmed.last, last == "." || last == " " { trimmed.removeLast() }
    return String(trimmed)
  }

  static func safe(_ title: Title) -> String { safe(title.artist.map { "\($0) - \(title.track)" } ?? title.text) }

  private static let slash = UInt8(ascii: "/")

  /// Splits a relative path. Returns nil if the path is empty, absolute or too long, leaves the folder, or has control
  /// characters.
  /// Compares bytes, as the kernel does. A combining mark after "/" forms another `Character`, but the kernel still
  /// sees a separator.
  static func parts(_ name: String) -> [String]? {
    guard !name.isEmpty, name.utf8.count < 1_024, name.utf8.first != slash, !name.utf8.contains(0) else { return nil }
    let parts = name.utf8.split(separator: slash, omittingEmptySubsequences: false).map { String(Substring($0)) }
    let isWithin = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && part.utf8.count <= 255
        && part.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
    }
    return isWithin ? parts : nil
  }

  static func cue(_ path: String) -> String {
    let name = path.utf8.lastIndex(of: slash).map { path.utf8[path.utf8.index(after: $0)...] } ?? path.utf8[...]
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return path + ".cue" }
    return path[..<dot] + ".cue"
  }

  /// Splits a path into its folder, without the final "/", and the name; nil without a folder.
  static func split(_ path: String) -> (folder: String, name: String)? {
    path.utf8.lastIndex(of: slash).map { place in
      let folder = place == path.startIndex ? "/" : String(path[..<place])
      return (folder, String(path[path.utf8.index(after: place)...]))
    }
  }

  static func last(_ path: String) -> String {
    path.utf8.split(separator: slash).last.map { String(Substring($0)) } ?? path
  }
}
