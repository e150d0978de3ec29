import Directory
import Glibc
import System
import Units

/// Opens the copy of the station directory when somebody asks for it, and closes it when nobody has for some minutes.
/// The control thread's; reading the file is left to a thread that is there meanwhile.
final class DirectoryKeeper {
  /// What is known of the directory.
  enum State {
    /// It is being opened.
    case opening
    /// There is none.
    case absent
    /// Its file cannot be used; the log has the reason.
    case damaged
    /// It is there.
    case open(StationDirectory)
  }

  /// A file as it was at a moment; another is another file, or the same one written anew.
  private struct Stamp: Equatable {
    private let device: UInt
    private let inode: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil where there is none (`stat(2)`).
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
      (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    }
  }

  /// A file that was opened, or could not be.
  private struct Opened: Sendable {
    let path: String
    let stamp: Stamp?
    let directory: Result<StationDirectory, DirectoryError>

    /// Why it cannot be used; nil where it can.
    var fault: DirectoryError? { if case .failure(let error) = directory { error } else { nil } }
    var isUnreadable: Bool { if case .unreadable = fault { true } else { false } }

    init(_ path: String) {
      self.path = path
      // Before it is read: what is put in its place meanwhile is seen.
      stamp = Stamp(path)
      do throws(DirectoryError) { directory = .success(try StationDirectory(path: path)) } catch {
        directory = .failure(error)
      }
    }
  }

  /// What the thread passes on.
  private final class Delivery: Sendable {
    let opened = Locked<Opened?>(nil)
    let flag = WakeFlag()
  }

  /// Nobody asked for so long, and it is closed.
  static let patience = Duration(milliseconds: 300_000)
  /// The file is looked at again, while it is asked for.
  private static let look = Duration(milliseconds: 1_000)
  /// One that could not be read may be readable later, though nobody wrote it.
  private static let unreadableLook = Duration(milliseconds: 10_000)

  /// Counts what was opened: ranks of one directory mean nothing in the next.
  private(set) var edition = 0
  private let clock: Clock
  /// What wakes the control thread (`bk_watch`) when the file was read.
  private let wake: (Int32) -> Void
  private var path: String
  private var current: Opened?
  /// Whether the file is being read.
  private(set) var isBusy = false
  private var lastUse = MonotonicTime.zero
  private var nextLook = MonotonicTime.zero
  private var delivery: Delivery?
  private var thread: Worker<String>?

  /// The directory at a path. `wake` is given a descriptor that can be read when there is news.
  init(path: String, _ clock: Clock, wake: @escaping (Int32) -> Void) {
    (self.path, self.clock, self.wake) = (path, clock, wake)
  }

  /// Whether a file is held, or was found wanting.
  var isOpen: Bool { current != nil }

  /// Takes another path.
  func use(path: String) {
    guard path != self.path else { return }
    self.path = path
    close()
  }

  /// The directory for who asks now. It stays the same until the next call.
  func state(at now: MonotonicTime) -> State {
    lastUse = now
    take()
    if now >= nextLook, !isBusy { lookAgain(at: now) }
    switch current?.directory {
    case .success(let directory): return .open(directory)
    case .failure(.absent): return .absent
    case .failure: return .damaged
    case nil: return .opening
    }
  }

  /// Nobody asks now; closes the file after some minutes of that.
  func rest(at now: MonotonicTime) {
    guard thread != nil || current != nil else { return }
    take()
    if lastUse + Self.patience <= now, !isBusy { close() }
  }

  /// Ends the thread.
  func finish() { close() }

  private func lookAgain(at now: MonotonicTime) {
    nextLook = now + (current?.isUnreadable == true ? Self.unreadableLook : Self.look)
    if let current, current.stamp == Stamp(path), !current.isUnreadable { return }
    let delivery = delivery ?? Delivery()
    if self.delivery == nil { wake(delivery.flag.descriptor) }
    self.delivery = delivery
    thread =
      thread
      ?? Worker.make("directory", clock) { path in
        guard let path else { return .forever }
        let opened = Opened(path)
        delivery.opened.withLock { $0 = opened }
        delivery.flag.raise()
        return .forever
      }
    isBusy = thread != nil
    thread?.give(path)
  }

  private func take() {
    guard isBusy, let delivery else { return }
    delivery.flag.clear()
    guard
      let opened = delivery.opened.withLock({ opened in
        defer { opened = nil }
        return opened
      })
    else { return }
    isBusy = false
    if case .failure(let error) = opened.directory, error != .absent, current?.fault != error {
      log(.warning, "\(path): \(error.description)")
    }
    (current, edition) = (opened, edition + 1)
  }

  private func close() {
    thread?.finish(within: Duration(milliseconds: 3_000))
    (thread, delivery, current, isBusy, nextLook) = (nil, nil, nil, false, .zero)
    edition += 1
  }
}
