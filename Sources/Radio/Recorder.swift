import Blocks
import CLinux
import Units

/// What is being recorded and kept of the block ring. The control thread's.
///
/// It copies packets from the ring, where they are whole and joined, into the queue of the file thread. A disk that
/// does not keep up leaves them in the ring; those that were dropped there before it took them end the recording.
final class Recorder {
  let thread: FileThread
  /// Stays as long as its files are written.
  private let engine: any EngineControl
  let ring: UnsafePointer<BlockRing>
  private let settings: RecordingSettings
  private(set) var takes: [Take] = []
  private var count: UInt32 = 0
  /// The recording that runs; its takes are among `takes`.
  var session: RecordingSession?
  /// What a title is told by, set for each round.
  var titles = TitleLog()
  var station = ""

  /// A control thread that waits for a disk waits no longer than this.
  static let patience = MonotonicTime(milliseconds: 500)

  init(_ engine: any EngineControl, _ settings: RecordingSettings) {
    self.engine = engine
    thread = engine.makeFileThread()
    ring = engine.ring
    self.settings = settings
  }

  deinit { thread.finish(within: MonotonicTime(milliseconds: 1_000)) }

  var scratch: UnsafeMutableRawPointer { thread.queue.pointee.scratch }

  // MARK: Beginning

  /// Where a file lies.
  func order(_ recording: RecordingOrder, isNew: Bool = false) -> FileOrder {
    FileOrder(
      path: recording.path, folder: recording.isFree ? nil : settings.folder, isNew: isNew, floor: settings.floor)
  }

  /// Begins a take, and waits a moment for its file.
  func begin(
    _ purpose: Take.Purpose, _ order: FileOrder, _ cursor: BlockCursor, epoch: UInt32?, isPlaced: Bool, waits: Bool
  ) throws(RecordingError) -> Take {
    count &+= 1
    let isSent: Bool
    do throws(ThreadError) { isSent = try thread.open(count, order) } catch { throw RecordingError("\(error)") }
    guard isSent else { throw .slow(order.path) }
    let take = Take(count, purpose, path: order.path, cursor, epoch: epoch, isPlaced: isPlaced)
    takes.append(take)
    if waits { thread.wait(count, Self.patience) { $0.path != nil || $0.isClosed } }
    look(at: take)
    guard let failure = take.failure else {
      publish()
      return take
    }
    forget(take)
    throw failure
  }

  /// Where the next file of a recording that is split lies.
  func order(_ name: String, in recording: RecordingOrder) -> FileOrder {
    let whole = recording.isFree ? name : "\(recording.path)/\(name)"
    return FileOrder(
      path: whole, folder: recording.isFree ? recording.path : settings.folder, isNew: true, floor: settings.floor)
  }

  /// Whether a file of the recording is still to be closed.
  var hasParts: Bool {
    takes.contains { take in if case .song = take.purpose { false } else { !take.isSilent } }
  }

  /// Gives up a take as if it had never been.
  func forget(_ take: Take) {
    takes.removeAll { $0 === take }
    thread.forget(take.file)
    publish()
  }

  // MARK: Each round

  /// Takes what came up to `limit`; the takes that are complete, file and all.
  func round(upTo limit: StreamTime) -> [Take] {
    for take in takes {
      look(at: take)
      if !take.isOver { pump(take, upTo: limit) }
      if take.isOver { close(take) }
    }
    let complete = takes.filter { thread.report($0.file).isClosed }
    for take in complete {
      look(at: take)
      forget(take)
    }
    publish()
    return complete
  }

  /// Whether anything is being recorded or kept.
  var isBusy: Bool { !takes.isEmpty }

  /// What its file tells of a take.
  private func look(at take: Take) {
    let report = thread.report(take.file)
    take.fileByteCount = report.byteCount
    if report.isClosed {
      take.isOver = true
      take.failure = take.failure ?? report.failure
    } else if report.isOpen, !take.isOpen {
      take.isOpen = true
      if let path = report.path { take.path = path }
      take.existing = report.existing
      if report.existing != nil { take.join() }
    }
  }

  /// Says to the net thread that what the station sends is wanted.
  private func publish() {
    engine.receiveForRecording(takes.contains { !$0.isOver })
  }

  private func close(_ take: Take) {
    guard !take.isClosing, sendCue(take), let slot = thread.queue.pointee.claim() else { return }
    (slot.kind, slot.file) = (.close, take.file)
    thread.send()
    take.isClosing = true
  }

  // MARK: Programmes

  /// The programme that runs is about to be dropped: what has come of it is taken, and then its takes are over.
  func programmeEnds(_ reason: RecordingError?) {
    for take in takes where take.epoch != nil && !take.isOver {
      // What still waits for its file's opening gets a moment for it.
      if !take.isOpen {
        thread.wait(take.file, Self.patience) { $0.path != nil || $0.isClosed }
        look(at: take)
      }
      if !take.isOver, !drain(take) { take.failure = take.failure ?? .slow(take.path) }
      if case .recording = take.purpose { take.failure = take.failure ?? reason }
      take.isOver = true
      close(take)
    }
    publish()
  }

  /// Takes all that came, however much that is; false where the disk is too slow for it.
  private func drain(_ take: Take) -> Bool {
    let end = now + Self.patience
    while !pump(take, upTo: StreamTime(ticks: .max)) {
      guard now < end else { return false }
      thread.waitForRoom(end - now)
    }
    return true
  }

  private var now: MonotonicTime { MonotonicTime(nanoseconds: bk_monotonic_ns()) }

  /// Another programme begins; who waits for it gets its first packet.
  func programmeBegins(_ epoch: UInt32) {
    for take in takes where take.epoch == nil { (take.epoch, take.isPlaced) = (epoch, false) }
  }

  /// The last call.
  func finish() -> [Take] {
    programmeEnds(nil)
    for take in takes where !take.isOver {
      take.isOver = true
      close(take)
    }
    for take in takes { thread.wait(take.file, MonotonicTime(milliseconds: 3_000)) { $0.isClosed } }
    for take in takes where !thread.report(take.file).isClosed { take.failure = take.failure ?? .slow(take.path) }
    let left = takes
    for take in left { look(at: take) }
    takes = []
    thread.finish(within: MonotonicTime(milliseconds: 1_000))
    return left
  }
}
