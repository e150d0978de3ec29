import Glibc
import System

extension RecordingError {
  /// A name outside the folder, or of another kind of file.
  public static let notListed = RecordingError("No recording has this name; use a name from the list.")

  /// The radio still writes the recording.
  package static func growing(_ name: String) -> RecordingError {
    RecordingError("\(name) is being recorded; end the recording first.")
  }

  static let noNewName = RecordingError(
    "The new name is not usable; choose one with letters or digits and without \"/\", such as \"evening\".")

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

  static func unrenamed(_ name: String, to new: String, errno: Int32) -> RecordingError {
    switch errno {
    case EEXIST: RecordingError("\(new), or its cue sheet, exists already; choose another name.")
    case EACCES, EPERM: RecordingError("\(name) cannot be renamed without more rights; become root, or use `sudo`.")
    case EROFS: RecordingError("\(name) is on a disk that is read-only, so its name stays.")
    default: RecordingError("\(name) cannot be renamed: \(errnoText(errno)).")
    }
  }
}
