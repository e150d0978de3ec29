import Glibc
import System

/// The files of the page. They are read once, so that no request can open a file.
struct PageFiles {
  private struct Entry {
    let bytes: [UInt8]
    /// Seconds since 1970.
    let modified: Int
  }

  private var files: [String: PageFile] = [:]

  private static let maxFiles = 100
  private static let maxBytes = 1 << 20

  /// Reads a folder and its direct subfolders. A file "NAME.gz" is the compressed form of the file "NAME".
  init(folder: String) throws(PageFilesError) {
    var entries: [String: Entry] = [:]
    try Self.read(folder, below: "", mayDescend: true, into: &entries)
    for (name, entry) in entries {
      files[name] = PageFile(named: name, entry.bytes)
      // A compressed form that is older than its file has the bytes of an earlier file.
      guard let packed = entries[name + ".gz"], packed.modified >= entry.modified else { continue }
      files[name]?.packed = PageFile.Form(packed.bytes)
    }
    guard files["index.html"] != nil else { throw .noPage(folder) }
  }

  private static func read(
    _ folder: String, below prefix: String, mayDescend: Bool, into entries: inout [String: Entry]
  ) throws(PageFilesError) {
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
        try read(path, below: prefix + name + "/", mayDescend: false, into: &entries)
      } else if facts.st_mode & S_IFMT == S_IFREG {
        let bytes = try bytes(of: path)
        guard entries.count < maxFiles, entries.values.reduce(bytes.count, { $0 + $1.bytes.count }) <= maxBytes
        else { throw .tooMuch(folder) }
        entries[prefix + name] = Entry(bytes: bytes, modified: facts.st_mtim.tv_sec)
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
