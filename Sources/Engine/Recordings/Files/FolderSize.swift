import CLinux
import System
import Units

/// The space that the files in a folder and its subfolders occupy. File thread only.
enum FolderSize {
  private struct Walk {
    let byteCount: Int
    /// Time until which the result counts.
    let end: MonotonicTime
  }

  /// The newest long walk of each folder. A walk counts for a hundred times its duration, so that a folder with many
  /// files costs 1 % of the thread's time.
  private static let walks = Locked<[String: Walk]>([:])
  /// Duration of a walk that is not repeated at once.
  private static let longWalk = Duration(milliseconds: 20)
  private static let maxFolderCount = 16
  /// A folder with more entries counts as full.
  private static let maxEntryCount: Int32 = 200_000

  /// Returns the bytes on the disk (`bk_folder_bytes`).
  static func byteCount(of path: String, _ clock: Clock) -> Int {
    let start = clock.now()
    if let walk = walks.withLock({ $0[path] }), start < walk.end { return walk.byteCount }
    let count = Int(bk_folder_bytes(path, maxEntryCount))
    let end = clock.now()
    let duration = end - start
    guard duration > longWalk else { return count }
    walks.withLock { walks in
      if walks.count >= maxFolderCount { walks = [:] }
      walks[path] = Walk(byteCount: count, end: end + Duration(nanoseconds: 100 * duration.nanoseconds))
    }
    return count
  }
}
