import Units

@testable import Blocks
@testable import Recordings

/// A disk that writes at once, or not at all.
final class FakeFiles: FileWriting {
  struct File: Equatable {
    var path: String
    var bytes: [UInt8] = []
    var cue = ""
    var isClosed = false
  }

  let queue: UnsafePointer<FileQueue>
  /// All files so far, in the order of their requests.
  private(set) var files: [File] = []
  private var reports: [UInt32: FileReport] = [:]
  private var orders: [UInt32: FileOrder] = [:]
  private var places: [UInt32: Int] = [:]
  /// True if the disk writes no data for now.
  var isSlow = false { didSet { serve() } }
  /// Error of each attempt to open a file; nil to succeed.
  var refusal: RecordingError?
  /// Called with the time spent waiting for the disk.
  var waited: (Duration) -> Void = { _ in }

  init(_ queue: UnsafePointer<FileQueue>) { self.queue = queue }

  func open(_ file: UInt32, _ order: FileOrder) -> Bool {
    guard queue.pointee.claim(.open, of: file) != nil else { return false }
    (orders[file], reports[file]) = (order, FileReport())
    send()
    return true
  }

  func send() {
    queue.pointee.commit()
    serve()
  }

  func requestRoomNotice() {}
  func waitForRoom(_ patience: Duration) { waited(patience) }
  func report(_ file: UInt32) -> FileReport { reports[file] ?? FileReport() }
  func removeReport(_ file: UInt32) { reports[file] = nil }
  func wait(_ file: UInt32, _ patience: Duration, until isSo: (FileReport) -> Bool) {
    if !isSo(report(file)) { waited(patience) }
  }
  func finish(within patience: Duration) {}

  /// Ends a file with an error, as a full disk does.
  func fail(_ number: UInt32, _ error: RecordingError) {
    reports[number]?.failure = error
    reports[number]?.isClosed = true
  }

  private func serve() {
    guard !isSlow else { return }
    while let slot = queue.pointee.front {
      if slot.kind == .open { open(slot.file) } else { write(slot) }
      queue.pointee.release()
    }
  }

  private func open(_ number: UInt32) {
    if let refusal { return fail(number, refusal) }
    places[number] = files.count
    let path = orders[number]?.path ?? ""
    files.append(File(path: path))
    reports[number]?.path = path
    reports[number]?.freeByteCount = 1_000_000
  }

  private func write(_ slot: FileQueue.Slot) {
    guard let place = places[slot.file] else { return }
    switch slot.kind {
    case .open: break
    case .packets: files[place].bytes += slot.bytes
    case .cue: files[place].cue += String(decoding: slot.bytes, as: UTF8.self)
    case .close:
      files[place].isClosed = true
      reports[slot.file]?.isClosed = true
    }
    reports[slot.file]?.byteCount = files[place].bytes.count
  }
}
