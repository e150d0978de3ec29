import Framing
import Glibc
import System

/// The audio files of a folder. Subfolders and hidden files are not read.
public enum AudioFolder {
  /// The reason why a folder cannot be played.
  public enum Fault: Error, Equatable {
    case unreadable(String, errno: Int32)
    case empty(String)
    case tooMany(String)
    case emptyFile(String)

    /// The reason in words.
    public var sentence: String {
      switch self {
      case .unreadable(let path, let code): "The path \(DisplayText.clean(path)) cannot be read: \(errnoText(code))."
      case .emptyFile(let path): "The file \(DisplayText.clean(path)) is empty."
      case .empty(let path): "The folder \(DisplayText.clean(path)) has no audio files; its subfolders are not read."
      case .tooMany(let path):
        "The folder \(DisplayText.clean(path)) has more than \(maxCount) audio files; name some of the files."
      }
    }
  }

  static let maxCount = 5_000
  /// A folder with more entries of any kind is refused too.
  static let maxEntryCount = 100_000

  private static let endings: Set = [
    "mp3", "mp2", "mpga", "aac", "adts", "m4a", "m4b", "mp4", "ogg", "oga", "opus", "flac", "wav", "aif", "aiff",
    "aifc",
  ]

  /// Returns the paths of a folder's audio files in natural order ("2.mp3" before "10.mp3"); nil for another place.
  public static func files(in place: String) throws(Fault) -> [String]? {
    guard !place.contains("://"), kind(of: place) == S_IFDIR else { return nil }
    guard let folder = opendir(place) else { throw .unreadable(place, errno: errno) }
    defer { closedir(folder) }
    let start = place.hasSuffix("/") ? place : place + "/"
    var (names, count): ([String], Int) = ([], 0)
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      count += 1
      guard count <= maxEntryCount, names.count <= maxCount else { throw .tooMany(place) }
      guard !name.hasPrefix("."), let dot = name.lastIndex(of: "."),
        endings.contains(name[name.index(after: dot)...].lowercased()), kind(of: start + name) == S_IFREG
      else { continue }
      names.append(name)
    }
    guard !names.isEmpty else { throw .empty(place) }
    guard names.count <= maxCount else { throw .tooMany(place) }
    return NaturalOrder.sorted(names).map { start + $0 }
  }

  /// False for an empty file.
  static func hasContent(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && (facts.st_mode & S_IFMT != S_IFREG || facts.st_size > 0)
  }

  private static func kind(of path: String) -> mode_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }
}
