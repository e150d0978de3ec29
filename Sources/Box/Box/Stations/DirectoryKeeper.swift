import Control
import Directory
import Glibc
import System
import Units

/// Opens the station directory on demand, and closes it after 5 min without use. Control thread only; a worker reads
/// the file.
final class DirectoryKeeper {
  private struct FileStamp: Equatable {
    private let device: UInt
    private let inode: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the stamp of a file (`stat(2)`); nil if the file does not exist.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
      (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    }
  }

  private struct Opened: Sendable {
    let path: String
    let stamp: FileStamp?
    let directory: Result<StationDirectory, DirectoryError>

    var fault: DirectoryError? { if case .failure(let error) = directory { error } else { nil } }
    var isUnreadable: Bool { if case .unreadable = fault { true } else { false } }

    init(_ path: String) {
      self.path = path
      // The stamp is read before the file, so that a later replacement is detected.
      stamp = FileStamp(path)
      do throws(DirectoryError) { directory = .success(try StationDirectory(path: path)) } catch {
        directory = .failure(error)
      }
    }
  }

  static let idleTimeout = Duration(milliseconds: 300_000)
  /// Interval between checks for a new file, while in use.
  private static let checkInterval = Duration(milliseconds: 1_000)
  /// Interval between checks of an unreadable file, which may become readable without a new stamp.
  private static let unreadableCheckInterval = Duration(milliseconds: 10_000)

  /// Number of times a file was opened or closed; a rank is valid only in one edition.
  private(set) var edition = 0
  let clock: Clock
  /// Adds a descriptor to the set that wakes the control thread (`bk_watch`).
  private let wake: (Int32) -> Void
  private(set) var path: String
  private var current: Opened?
  private(set) var isReading = false
  private var lastUse = MonotonicTime.zero
  private var nextCheck = MonotonicTime.zero
  /// From the worker to the control thread.
  private var delivery: Handover<Opened>?
  private var thread: Worker<String>?

  init(path: String, _ clock: Clock, wake: @escaping (Int32) -> Void) {
    (self.path, self.clock, self.wake) = (path, clock, wake)
  }

  /// True if opening has finished, with or without success.
  var isOpen: Bool { current != nil }

  func use(path: String) {
    guard path != self.path else { return }
    self.path = path
    close()
  }

  /// Returns the directory's state; starts to open the file if necessary. The directory is valid until the next call.
  func state(at now: MonotonicTime) -> DirectoryState {
    lastUse = now
    adoptOpened()
    if now >= nextCheck, !isReading { checkFile(at: now) }
    switch current?.directory {
    case .success(let directory): return .open(directory)
    case .failure(.absent): return .absent
    case .failure: return .damaged
    case nil: return .opening
    }
  }

  /// Closes the file after 5 min without use. Call in each iteration without a request.
  func closeIfIdle(at now: MonotonicTime) {
    guard thread != nil || current != nil else { return }
    adoptOpened()
    if lastUse + Self.idleTimeout <= now, !isReading { close() }
  }

  /// Opens the replaced file at the next use; the state is `opening` until then.
  func expectReplacement() {
    current = nil
    nextCheck = .zero
    edition += 1
  }

  func finish() { close() }

  private func checkFile(at now: MonotonicTime) {
    nextCheck = now + (current?.isUnreadable == true ? Self.unreadableCheckInterval : Self.checkInterval)
    if let current, current.stamp == FileStamp(path), !current.isUnreadable { return }
    let delivery = delivery ?? Handover<Opened>()
    if self.delivery == nil { wake(delivery.descriptor) }
    self.delivery = delivery
    thread =
      thread
      ?? Worker.make("directory", clock) { path in
        guard let path else { return .forever }
        delivery.put(Opened(path))
        return .forever
      }
    isReading = thread != nil
    thread?.submit(path)
  }

  private func adoptOpened() {
    guard isReading, let opened = delivery?.remove() else { return }
    isReading = false
    if case .failure(let error) = opened.directory, error != .absent, current?.fault != error {
      log(.warning, "\(path): \(error.description)")
    }
    (current, edition) = (opened, edition + 1)
  }

  private func close() {
    thread?.finish(within: Duration(milliseconds: 3_000))
    thread = nil
    delivery = nil
    current = nil
    isReading = false
    nextCheck = .zero
    edition += 1
  }
}
