import Blocks
import CLinux
import Glibc
import System

/// A growing recording. Contains whole packets, except during a write. File thread only.
final class RecordedFile {
  let path: String
  /// The continued recording; nil for a new file.
  let existing: ExistingRecording?
  /// Bytes added.
  private(set) var byteCount = 0
  private let place: RecordingPlace
  private let file: Descriptor
  private let start: Int
  private let floor: Int
  /// Bytes that the folder's maximum size allows for this file.
  private let allowance: Int
  private var cue = Descriptor(-1)
  /// True after the first attempt to open the cue sheet: a later sheet would lack its header and be unreadable.
  private var hasTriedCue = false
  private var isDirty = false

  init(_ order: FileOrder, _ clock: Clock) throws(RecordingError) {
    let place = try Self.place(order)
    allowance = try Self.allowance(order, clock)
    let file = try place.openFile(isNew: order.isNew)
    var existing: ExistingRecording?
    do throws(RecordingError) {
      existing = try Self.prepare(file.raw, place.path, order)
    } catch {
      Self.removeEmpty(file.raw, place)
      throw error
    }
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
    if order.isPrivate { makePrivateFolder(folder) }
    guard order.isNew else { return try RecordingPlace(order.path, within: folder) }
    let dot = order.path.lastIndex(of: ".") ?? order.path.endIndex
    for number in 1...99 {
      let name = number == 1 ? order.path : "\(order.path[..<dot]) (\(number))\(order.path[dot...])"
      let place = try RecordingPlace(name, within: folder, makesFolders: true)
      if !place.isTaken { return place }
    }
    throw .notAFile(order.path)
  }

  /// Truncates the file to the packets to continue, or to zero, and positions it at that end.
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

  private static func removeEmpty(_ descriptor: Int32, _ place: borrowing RecordingPlace) {
    var facts = stat()
    if fstat(descriptor, &facts) == 0, facts.st_size == 0 { place.remove() }
  }

  private static func allowance(_ order: FileOrder, _ clock: Clock) throws(RecordingError) -> Int {
    guard let folder = order.folder, let most = maxByteCount(folder, order.limit) else { return .max }
    let used = FolderSize.byteCount(of: folder, clock)
    guard used < most else { throw .full(folder, most: most) }
    return most - used
  }

  /// Returns the limit in bytes; nil for no limit.
  private static func maxByteCount(_ folder: String, _ limit: RecordingLimit) -> Int? {
    switch limit {
    case .none: return nil
    case .bytes(let count): return count
    case .tenthOfDisk:
      let opened = Descriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
      return disk(opened.raw, \.f_blocks).map { $0 / 10 }
    }
  }

  private static func free(_ descriptor: Int32) -> Int? { disk(descriptor, \.f_bavail) }

  /// Returns the bytes of free or all blocks of the disk; nil if unknown.
  private static func disk(_ descriptor: Int32, _ blocks: KeyPath<statvfs, fsblkcnt_t>) -> Int? {
    var facts = statvfs()
    guard fstatvfs(descriptor, &facts) == 0 else { return nil }
    return Int(
      clamping: UInt64(facts[keyPath: blocks]).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
  }

  /// Bytes until the free space reaches the floor, or the folder its maximum size; nil if unknown.
  var room: Int? { Self.free(file.raw).map { max(0, min($0 - floor, allowance - byteCount)) } }

  /// Appends the packets of a slot. A packet that does not fit is removed again.
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

  /// Appends to the cue sheet next to the file; without a cue sheet the recording continues.
  func append(cue text: UnsafeRawBufferPointer) {
    if !hasTriedCue, let opened = place.openCue(appends: existing != nil) { cue = opened }
    hasTriedCue = true
    guard cue.isOpen else { return }
    let end = lseek(cue.raw, 0, SEEK_CUR)
    if bk_write(cue.raw, text.baseAddress, text.count) == text.count {
      isDirty = true
    } else {
      // Text after half a track, or without a header, would be unreadable.
      ftruncate(cue.raw, end)
      cue = Descriptor(-1)
    }
  }

  /// Syncs the data (`fdatasync(2)`), and checks that the file still has a name and the disk has room.
  func sync() throws(RecordingError) {
    var facts = stat()
    guard fstat(file.raw, &facts) == 0, facts.st_nlink > 0 else { throw .gone(path) }
    guard isDirty else { return }
    isDirty = false
    guard fdatasync(file.raw) == 0 else { throw RecordingError(path, errno: errno) }
    if cue.isOpen { fdatasync(cue.raw) }
    if let free = Self.free(file.raw), free <= floor { throw .noRoom(path, floor: floor) }
    if byteCount >= allowance { throw .full(path) }
  }

  /// Syncs the data, and removes an empty file. The last call.
  func finish() throws(RecordingError) {
    if start + byteCount == 0 { return place.remove() }
    guard fsync(file.raw) == 0 else { throw RecordingError(path, errno: errno) }
    if cue.isOpen { fsync(cue.raw) }
  }
}
