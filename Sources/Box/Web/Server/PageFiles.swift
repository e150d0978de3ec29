import Glibc
import System

/// The files of the page. They are read once, so that no request can open a file.
struct PageFiles {
  private var files: [String: PageFile] = [:]

  private static let maxFiles = 100
  private static let maxBytes = 1 << 20

  /// Reads a folder and its direct subfolders.
  init(folder: String) throws(PageFilesError) {
    try read(folder, below: "", mayDescend: true)
    guard files["index.html"] != nil else { throw .noPage(folder) }
  }

  private mutating func read(_ folder: String, below prefix: String, mayDescend: Bool) throws(PageFilesError) {
    guard let directory = opendir(folder) else { throw .unreadable(folder, errno: errno) }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix(".") else { continue }
      var facts = stat()
      let path = "\(folder)/\(name)"
      guard stat(path, &facts) == 0 else { continue }
      if facts.st_mode & S_IFMT == S_IFDIR, mayDescend {
        try read(path, below: prefix + name + "/", mayDescend: false)
      } else if facts.st_mode & S_IFMT == S_IFREG {
        let bytes = try Self.bytes(of: path)
        guard files.count < Self.maxFiles, files.values.reduce(bytes.count, { $0 + $1.bytes.count }) <= Self.maxBytes
        else { throw .tooMuch(folder) }
        files[prefix + name] = PageFile(named: name, bytes)
      }
    }
  }

  private static func bytes(of path: String) throws(PageFilesError) -> [UInt8] {
    do throws(WholeFile.Problem) {
      // A copy without the unused capacity.
      return try WholeFile.read(path, limit: maxBytes).withUnsafeBytes { Array($0) }
    } catch {
      if case .unreadable(let code) = error { throw .unreadable(path, errno: code) }
      throw .tooMuch(path)
    }
  }

  func file(at path: String) -> PageFile? {
    guard path.hasPrefix("/") else { return nil }
    return files[path == "/" ? "index.html" : String(path.dropFirst())]
  }
}
