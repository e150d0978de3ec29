import Blocks
import Glibc
import Synchronization
import System
import Units

/// Owns the thread that writes recordings, so that a slow, full or removed disk blocks no other thread.
package final class FileThread: FileWriting, @unchecked Sendable {
  package let queue: UnsafePointer<FileQueue>
  /// Retains the queue's memory, because a thread blocked by its disk may outlive the radio.
  private let memory: Arena
  /// Wakes the control thread when a file was opened or closed, or when the queue has room.
  private let notified: SharedWakeFlag
  private let clock: Clock
  private let wake = WakeFlag()
  /// Raised together with `notified`, for `wait` and `waitForRoom`.
  private let reported = WakeFlag()
  private let done = WakeFlag()
  private let orders = Locked<[UInt32: FileOrder]>([:])
  private let reports = Locked<[UInt32: FileReport]>([:])
  private let isAwaited = Atomic<Bool>(false)
  private let isEnding = Atomic<Bool>(false)
  private var thread: OwnedThread?

  /// Maximum time until recorded data is on the disk.
  private static let syncEvery = Duration(milliseconds: 1_000)

  /// Creates the writer; its thread starts with its first file.
  package init(_ queue: UnsafePointer<FileQueue>, in memory: Arena, notified: SharedWakeFlag, clock: Clock) {
    self.queue = queue
    self.memory = memory
    self.notified = notified
    self.clock = clock
  }

  // MARK: Control thread

  package func open(_ file: UInt32, _ order: FileOrder) throws(ThreadError) -> Bool {
    try start()
    guard queue.pointee.claim(.open, of: file) != nil else { return false }
    orders.withLock { $0[file] = order }
    reports.withLock { $0[file] = FileReport() }
    send()
    return true
  }

  package func send() {
    queue.pointee.commit()
    wake.raise()
  }

  package func requestRoomNotice() {
    isAwaited.store(true, ordering: .sequentiallyConsistent)
    wake.raise()
  }

  package func waitForRoom(_ patience: Duration) {
    requestRoomNotice()
    reported.wait(patience, by: clock)
  }

  package func report(_ file: UInt32) -> FileReport { reports.withLock { $0[file] ?? FileReport() } }

  package func removeReport(_ file: UInt32) { reports.withLock { _ = $0.removeValue(forKey: file) } }

  package func wait(_ file: UInt32, _ patience: Duration, until isSo: (FileReport) -> Bool) {
    let end = now + patience
    while !isSo(report(file)), now < end {
      reported.wait(end - now, by: clock)
    }
  }

  package func finish(within patience: Duration) {
    guard let thread = thread.take() else { return }
    isEnding.store(true, ordering: .releasing)
    wake.raise()
    if done.wait(patience, by: clock) { thread.join() } else { thread.abandon() }
  }

  private func start() throws(ThreadError) {
    guard thread == nil else { return }
    // The closure keeps this object alive while the thread runs.
    thread = try OwnedThread("file") { self.run() }
  }

  private var now: MonotonicTime { clock.now() }

  // MARK: File thread

  private func run() {
    defer { done.raise() }
    // Blocks SIGXFSZ, so that write(2) reports a file size limit as an error.
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
        if isAwaited.exchange(false, ordering: .sequentiallyConsistent) { notify() }
        if now >= nextSync { break }
      }
      if now >= nextSync {
        for (number, file) in files { sync(number, file, &files) }
        nextSync = now + Self.syncEvery
      }
      if queue.pointee.front != nil { continue }
      if isAwaited.exchange(false, ordering: .sequentiallyConsistent) { notify() }
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
      let file = try RecordedFile(order, clock)
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
    notify()
  }

  private func sync(_ number: UInt32, _ file: RecordedFile, _ files: inout [UInt32: RecordedFile]) {
    do throws(RecordingError) { try file.sync() } catch { return end(number, file, &files, error) }
    reports.withLock { $0[number]?.freeByteCount = file.room }
  }

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
    notify()
  }

  private func notify() {
    reported.raise()
    notified.flag.raise()
  }
}
