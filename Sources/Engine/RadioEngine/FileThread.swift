import Blocks
import Glibc
import Synchronization
import System
import Units

/// The thread that writes recordings, as the control thread handles it: a disk that is slow, full or gone holds nobody
/// else up. It is started by the first file.
final class FileThread: FileWriting, @unchecked Sendable {
  let queue: UnsafePointer<FileQueue>
  /// The queue's memory: a thread that hangs in its disk may outlive the radio.
  private let memory: Arena
  /// Raised for the control thread when a report changed, or when there is room again.
  private let notified: SharedWakeFlag
  private let clock: Clock
  private let wake = WakeFlag()
  /// Raised with each report, for who waits for one.
  private let answered = WakeFlag()
  private let done = WakeFlag()
  private let orders = Locked<[UInt32: FileOrder]>([:])
  private let reports = Locked<[UInt32: FileReport]>([:])
  private let isAwaited = Atomic<Bool>(false)
  private let isEnding = Atomic<Bool>(false)
  private var thread: OwnedThread?

  /// What was recorded is on the disk after so long.
  private static let syncEvery = Duration(milliseconds: 1_000)

  init(_ queue: UnsafePointer<FileQueue>, in memory: Arena, notified: SharedWakeFlag, clock: Clock) {
    self.queue = queue
    self.memory = memory
    self.notified = notified
    self.clock = clock
  }

  // MARK: The control thread's

  /// Sends for a file; false where the queue is full.
  func open(_ file: UInt32, _ order: FileOrder) throws(ThreadError) -> Bool {
    try start()
    guard let slot = queue.pointee.claim() else { return false }
    orders.withLock { $0[file] = order }
    reports.withLock { $0[file] = FileReport() }
    (slot.kind, slot.file) = (.open, file)
    send()
    return true
  }

  /// Sends the slot that was claimed last.
  func send() {
    queue.pointee.commit()
    wake.raise()
  }

  /// Asks to be called when there is a slot again.
  func awaitRoom() {
    isAwaited.store(true, ordering: .sequentiallyConsistent)
    wake.raise()
  }

  /// Waits for a slot, or for so long.
  func waitForRoom(_ patience: Duration) {
    awaitRoom()
    answered.wait(patience, by: clock)
  }

  /// How a file fares.
  func report(_ file: UInt32) -> FileReport { reports.withLock { $0[file] ?? FileReport() } }

  /// Forgets a file that is closed.
  func forget(_ file: UInt32) { reports.withLock { _ = $0.removeValue(forKey: file) } }

  /// Waits until something is so of a file, or for so long.
  func wait(_ file: UInt32, _ patience: Duration, until isSo: (FileReport) -> Bool) {
    let end = now + patience
    while !isSo(report(file)), now < end {
      answered.wait(end - now, by: clock)
    }
  }

  /// Lets it write what it was given, and ends it; a disk that never answers is left to the end of the program.
  func finish(within patience: Duration) {
    guard let thread = thread.take() else { return }
    isEnding.store(true, ordering: .releasing)
    wake.raise()
    if done.wait(patience, by: clock) { thread.join() } else { thread.abandon() }
  }

  private func start() throws(ThreadError) {
    guard thread == nil else { return }
    // The thread keeps what it works with, whoever else lets go of it.
    thread = try OwnedThread("file") { self.run() }
  }

  private var now: MonotonicTime { clock.now() }

  // MARK: Its own

  private func run() {
    defer { done.raise() }
    // A file that may not grow any more is told by write(2), not by a signal.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var files: [UInt32: RecordedFile] = [:]
    var nextSync = now
    while true {
      while let slot = queue.pointee.front {
        serve(slot, &files)
        queue.pointee.release()
        if isAwaited.exchange(false, ordering: .sequentiallyConsistent) { tell() }
        if now >= nextSync { break }
      }
      if now >= nextSync {
        for (number, file) in files { sync(number, file, &files) }
        nextSync = now + Self.syncEvery
      }
      if queue.pointee.front != nil { continue }
      if isAwaited.exchange(false, ordering: .sequentiallyConsistent) { tell() }
      if isEnding.load(ordering: .acquiring) { break }
      let wait = files.isEmpty ? Duration(milliseconds: 60_000) : max(.zero, nextSync - now)
      wake.wait(wait, by: clock)
    }
    for (number, file) in files { end(number, file, &files, nil) }
  }

  private func serve(_ slot: FileQueue.Slot, _ files: inout [UInt32: RecordedFile]) {
    let number = slot.file
    if slot.kind == .open { return open(number, &files) }
    guard let file = files[number] else { return }
    switch slot.kind {
    case .open: break
    case .packets:
      do throws(RecordingError) { try file.append(slot) } catch { return end(number, file, &files, error) }
      reports.withLock { $0[number]?.byteCount = file.byteCount }
    case .cue: file.append(cue: slot.bytes)
    case .close: end(number, file, &files, nil)
    }
  }

  private func open(_ number: UInt32, _ files: inout [UInt32: RecordedFile]) {
    guard let order = orders.withLock({ $0.removeValue(forKey: number) }) else { return }
    do throws(RecordingError) {
      let file = try RecordedFile(order)
      files[number] = file
      reports.withLock {
        $0[number]?.path = file.path
        $0[number]?.existing = file.existing
        $0[number]?.freeByteCount = file.room
      }
    } catch {
      reports.withLock {
        $0[number]?.failure = error
        $0[number]?.isClosed = true
      }
    }
    tell()
  }

  private func sync(_ number: UInt32, _ file: RecordedFile, _ files: inout [UInt32: RecordedFile]) {
    do throws(RecordingError) { try file.sync() } catch { return end(number, file, &files, error) }
    reports.withLock { $0[number]?.freeByteCount = file.room }
  }

  /// Closes a file, because it is complete or because of a failure.
  private func end(
    _ number: UInt32, _ file: RecordedFile, _ files: inout [UInt32: RecordedFile], _ failure: RecordingError?
  ) {
    var failure = failure
    do throws(RecordingError) { try file.finish() } catch { failure = failure ?? error }
    files[number] = nil
    reports.withLock {
      $0[number]?.byteCount = file.byteCount
      $0[number]?.failure = failure
      $0[number]?.isClosed = true
    }
    tell()
  }

  private func tell() {
    answered.raise()
    notified.flag.raise()
  }
}
