import Blocks
import CLinux
import Glibc
import System

/// What a file is to be.
struct FileOrder: Sendable {
  /// Its path; a name within `folder` where there is one.
  var path: String
  /// The folder that it does not lead out of.
  var folder: String?
  /// Whether it goes on behind what is there.
  var appends = false
  /// Whether no file of that name may be there; then a number is added to it.
  var isNew = false
  /// Bytes that are left free on its disk.
  var floor: Int
}

/// A recording that grows. The file thread's.
///
/// It holds whole packets at any time but in the midst of one write, and `sync` brings them to the disk with all that
/// is needed to find them.
final class RecordedFile {
  /// Its whole path.
  let path: String
  /// What was there before; nil where it was begun anew.
  let existing: ExistingRecording?
  /// Bytes added.
  private(set) var byteCount = 0
  private let place: RecordingPlace
  private let file: Descriptor
  private let start: Int
  private let floor: Int
  private var cue = Descriptor(-1)
  /// Whether the cue sheet was opened, or is not to be had. One that begins later has no head, and no player reads it.
  private var hasTriedCue = false
  private var isDirty = false

  /// Opens or makes the file.
  init(_ order: FileOrder) throws(RecordingError) {
    let place = try Self.place(order)
    let file = try place.openFile(isNew: order.isNew)
    var existing = try Self.prepare(file.raw, place.path, order)
    existing?.cueTrackCount = place.cueTrackCount
    place.sync()
    start = existing?.end ?? 0
    self.existing = existing
    path = place.path
    floor = order.floor
    self.file = file
    self.place = place
  }

  private static func place(_ order: FileOrder) throws(RecordingError) -> RecordingPlace {
    guard let folder = order.folder else { return try RecordingPlace(path: order.path) }
    guard order.isNew else { return try RecordingPlace(order.path, within: folder) }
    let dot = order.path.lastIndex(of: ".") ?? order.path.endIndex
    for number in 1...99 {
      let name = number == 1 ? order.path : "\(order.path[..<dot]) (\(number))\(order.path[dot...])"
      let place = try RecordingPlace(name, within: folder, makesFolders: true)
      if !place.isTaken { return place }
    }
    throw .notAFile(order.path)
  }

  /// Makes the file what it is to be before the first packet.
  private static func prepare(
    _ descriptor: Int32, _ path: String, _ order: FileOrder
  ) throws(RecordingError) -> ExistingRecording? {
    guard ExistingRecording.isRecording(descriptor) else { throw .notARecording(path) }
    if let free = free(descriptor), free <= order.floor { throw .noRoom(path, floor: order.floor) }
    let existing = order.appends ? ExistingRecording(reading: descriptor) : nil
    let end = off_t(existing?.end ?? 0)
    guard ftruncate(descriptor, end) == 0, lseek(descriptor, end, SEEK_SET) == end else {
      throw RecordingError(path, errno: errno)
    }
    return existing?.format == nil ? nil : existing
  }

  private static func free(_ descriptor: Int32) -> Int? {
    var facts = statvfs()
    guard fstatvfs(descriptor, &facts) == 0 else { return nil }
    return Int(clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
  }

  /// Bytes that the recording may still take; nil while that is not known.
  var room: Int? { Self.free(file.raw).map { max(0, $0 - floor) } }

  /// Adds the packets of a slot. What does not fit on the disk whole is not there afterwards.
  func append(_ slot: FileQueue.Slot) throws(RecordingError) {
    let bytes = slot.bytes
    var done = 0
    while done < bytes.count {
      let count = bk_write(file.raw, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      guard count > 0 else {
        byteCount += slot.wholePackets(in: done)
        ftruncate(file.raw, off_t(start + byteCount))
        throw RecordingError(path, errno: count < 0 ? Int32(-count) : EIO)
      }
      done += count
    }
    byteCount += done
    isDirty = true
  }

  /// Adds to the cue sheet beside it; where there is none to be had, the recording goes on without.
  func append(cue text: UnsafeRawBufferPointer) {
    if !hasTriedCue, let opened = place.openCue(appends: existing != nil) { cue = opened }
    hasTriedCue = true
    guard cue.isOpen else { return }
    let end = lseek(cue.raw, 0, SEEK_CUR)
    if bk_write(cue.raw, text.baseAddress, text.count) == text.count {
      isDirty = true
    } else {
      // What would follow half a track, or no head, could not be read.
      ftruncate(cue.raw, end)
      cue = Descriptor(-1)
    }
  }

  /// Brings all to the disk (`fdatasync(2)`), and sees whether the recording can go on: its file is there, and room.
  func sync() throws(RecordingError) {
    var facts = stat()
    guard fstat(file.raw, &facts) == 0, facts.st_nlink > 0 else { throw .gone(path) }
    guard isDirty else { return }
    isDirty = false
    guard fdatasync(file.raw) == 0 else { throw RecordingError(path, errno: errno) }
    if cue.isOpen { fdatasync(cue.raw) }
    if let free = Self.free(file.raw), free <= floor { throw .noRoom(path, floor: floor) }
  }

  /// The last call: brings all to the disk; a file to which nothing came is not left behind.
  func finish() throws(RecordingError) {
    if start + byteCount == 0 { return place.remove() }
    guard fsync(file.raw) == 0 else { throw RecordingError(path, errno: errno) }
    if cue.isOpen { fsync(cue.raw) }
  }
}
