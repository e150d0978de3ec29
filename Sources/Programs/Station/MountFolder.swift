import Glibc
import System
import Units

extension Mount {
  /// The maximum number of mounts.
  public static var limit: Int { 64 }

  /// Creates one mount per file, all with the same titles. A folder means its `.mp3` and `.aac` files, sorted by name.
  ///
  /// Reads whole files, at most 256 MiB each and 1 GiB together.
  ///
  /// - Throws: The fault of the first bad path; `tooManyMounts`; `noMounts` without files.
  public static func all(at paths: [String], titles: [TitleCue] = []) throws(StationError) -> [Mount] {
    var mounts: [Mount] = []
    var total = 0
    for path in paths {
      for file in try files(at: path) {
        guard mounts.count < limit else { throw .tooManyMounts(limit: limit) }
        let bytes = try FileBytes.read(file, limit: min(256 << 20, (1 << 30) - total))
        total += bytes.count
        let name = file.split(separator: "/").last.map(String.init) ?? file
        do throws(StationError) {
          mounts.append(try Mount(name: name, file: bytes, titles: titles))
        } catch {
          throw .noAudio(path: file)
        }
      }
    }
    guard !mounts.isEmpty else { throw .noMounts }
    return mounts
  }

  private static func files(at path: String) throws(StationError) -> [String] {
    guard let folder = opendir(path) else {
      if errno == ENOTDIR { return [path] }
      throw .unreadable(path: path, reason: .lastError)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      let isAudio = name.lowercased().hasSuffix(".mp3") || name.lowercased().hasSuffix(".aac")
      if isAudio, !name.hasPrefix(".") { names.append(path + (path.hasSuffix("/") ? "" : "/") + name) }
      guard names.count <= limit else { throw .tooManyMounts(limit: limit) }
    }
    return names.sorted()
  }
}

/// Reads small files completely.
public enum FileBytes {
  /// Returns the bytes of a regular file (`WholeFile`).
  ///
  /// - Throws: `unreadable`, or `tooLarge` beyond `limit` bytes.
  public static func read(_ path: String, limit: Int) throws(StationError) -> [UInt8] {
    do throws(WholeFile.Problem) { return try WholeFile.read(path, limit: limit) } catch {
      switch error {
      case .unreadable(let code): throw .unreadable(path: path, reason: errnoText(code, isCapitalized: true))
      case .noFile: throw .unreadable(path: path, reason: "it is not a regular file")
      case .tooLong: throw .tooLarge(path: path)
      }
    }
  }
}
