import Glibc
import System

/// The two files by which the radio requests an update of the directory and observes it. systemd watches the request
/// and starts the update. The update removes the request and writes the progress.
public struct UpdateFiles: Sendable {
  /// A version of the progress: changes with each write.
  public struct Stamp: Equatable, Sendable {
    private let inode: UInt
    private let seconds: Int
    private let nanoseconds: Int

    fileprivate init(_ status: stat) {
      inode = UInt(status.st_ino)
      (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    }
  }

  /// The path of the request in `RuntimeDirectory=`. The update may write to no other folder there.
  public static let requestName = "directory/update"

  private let request: String
  private let progress: String

  /// Creates the files from the path of the request.
  public init(request: String) { (self.request, progress) = (request, request + ".progress") }

  // MARK: The request

  /// True if a request exists.
  public var isRequested: Bool { access(request, F_OK) == 0 }

  /// Creates the request and its folder. Returns errno of a failure; nil on success.
  public func makeRequest() -> Int32? {
    let folder = request.lastIndex(of: "/").map { String(request[..<$0]) } ?? "."
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return errno }
    return Self.write("", to: request)
  }

  /// Removes the request. Returns errno of a failure; nil on success, also without a request.
  public func removeRequest() -> Int32? { unlink(request) == 0 || errno == ENOENT ? nil : errno }

  // MARK: The progress

  /// The version of the progress; nil without a file.
  public var stamp: Stamp? {
    var status = stat()
    return stat(progress, &status) == 0 ? Stamp(status) : nil
  }

  /// Reads the progress; nil if it is missing or malformed.
  public func readProgress() -> UpdateProgress? {
    guard let bytes = try? WholeFile.read(progress, limit: UpdateProgress.maxLength) else { return nil }
    return UpdateProgress(String(decoding: bytes, as: UTF8.self))
  }

  /// Replaces the progress. A failure is ignored: the radio then reports an update without a result.
  public func write(_ progress: UpdateProgress) { _ = Self.write(progress.text, to: self.progress) }

  /// Replaces a file; readers see the complete text. Returns errno of a failure.
  private static func write(_ text: String, to path: String) -> Int32? {
    let fresh = path + ".new"
    let file = Descriptor(open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644))
    guard file.isOpen else { return errno }
    let bytes = Array(text.utf8)
    errno = 0
    guard bytes.isEmpty || Glibc.write(file.raw, bytes, bytes.count) == bytes.count, rename(fresh, path) == 0 else {
      return errno == 0 ? EIO : errno
    }
    return nil
  }
}
