import Glibc
import System

extension RecordingError {
  /// A name outside the folder, or of another kind of file.
  public static let notListed = RecordingError("No recording has this name; use a name from the list.")

  static func growing(_ name: String) -> RecordingError {
    RecordingError("\(name) is being recorded; end the recording first.")
  }

  static func unreadable(_ name: String, errno: Int32) -> RecordingError {
    switch errno {
    case 0, ENOENT, ENOTDIR, ELOOP: notListed
    case EACCES, EPERM: RecordingError("\(name) cannot be read without more rights; become root, or use `sudo`.")
    default: RecordingError("\(name) cannot be read: \(errnoText(errno)).")
    }
  }

  static func unremoved(_ name: String, errno: Int32) -> RecordingError {
    switch errno {
    case EACCES, EPERM: RecordingError("\(name) cannot be deleted without more rights; become root, or use `sudo`.")
    case EROFS: RecordingError("\(name) is on a disk that is read-only, so it stays.")
    default: RecordingError("\(name) cannot be deleted: \(errnoText(errno)).")
    }
  }
}
