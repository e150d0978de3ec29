import Blocks
import Framing
import Units

/// A run of packets from the block ring into one file. Control thread only.
final class RecordingSegment {
  enum Purpose {
    case recording
    case part
    case song(KeptSong, number: Int)
    /// An abandoned segment, whose end is not reported.
    case none
  }

  enum Scope {
    case nextProgramme
    /// All packets of a programme; the first is not found yet.
    case programme(UInt32)
    /// The packets of a programme after a position in the ring.
    case found(UInt32)
  }

  private enum Stage {
    case opening
    case open
    /// All packets are copied; the file must be closed.
    case over
    case closing
  }

  enum Step {
    case taken, nothing, noRoom
  }

  let file: UInt32
  private(set) var purpose: Purpose
  private(set) var path: String
  /// The reason of its end; nil for a normal end.
  private(set) var failure: RecordingError?
  /// Stream time of the end; nil if unknown.
  private(set) var until: StreamTime?
  /// Bytes written to the file.
  private(set) var fileByteCount = 0
  /// Audio that left the ring before the segment started.
  private(set) var lost = StreamTime.zero
  private(set) var existing: ExistingRecording?
  /// Copied duration and bytes.
  private(set) var recorded = StreamTime.zero
  private(set) var byteCount = 0
  private var stage = Stage.opening
  private var scope: Scope
  private var cursor: BlockCursor
  private var start = StreamTime.zero
  private var format: PacketFormat?
  private var cues = RecordingCues()
  /// Bytes of main data since a join, while later packets still refer to earlier data; nil otherwise.
  private var joint: Int?

  init(_ file: UInt32, _ purpose: Purpose, path: String, _ cursor: BlockCursor, _ scope: Scope) {
    self.file = file
    self.purpose = purpose
    self.path = path
    self.cursor = cursor
    self.scope = scope
  }

  // MARK: Its state

  /// The programme's number; nil for the next programme.
  var epoch: UInt32? {
    switch scope {
    case .nextProgramme: nil
    case .programme(let epoch), .found(let epoch): epoch
    }
  }

  var isOver: Bool { stage == .over || stage == .closing }

  var isOpening: Bool { stage == .opening }

  var isToClose: Bool { stage == .over }

  func end() { if !isOver { stage = .over } }

  /// Ends the segment at a time; a segment without packets is discarded.
  func end(at moment: StreamTime) {
    guard !isOver else { return }
    if case .found = scope { until = moment } else { end() }
  }

  /// Ends the segment without an event.
  func discard() {
    purpose = .none
    end()
  }

  func closes() { stage = .closing }

  func fail(_ error: RecordingError?) { failure = failure ?? error }

  func ends(at moment: StreamTime) { until = moment }

  func spans(from start: StreamTime, to until: StreamTime?) { (self.start, self.until) = (start, until) }

  func programmeBegins(_ epoch: UInt32) { if case .nextProgramme = scope { scope = .programme(epoch) } }

  func process(_ report: FileReport) {
    fileByteCount = report.byteCount
    if report.isClosed {
      end()
      fail(report.failure)
    } else if report.isOpen, stage != .open {
      if stage == .opening { stage = .open }
      if let path = report.path { self.path = path }
      existing = report.existing
      if existing != nil { joint = 0 }
    }
  }

  // MARK: Its packets

  /// Finds the first packet; false before the programme has a packet.
  func findPlace(in ring: UnsafePointer<BlockRing>) -> Bool {
    switch scope {
    case .found: return true
    case .nextProgramme: return false
    case .programme(let epoch):
      guard ring.pointee.writtenEpoch == epoch else { return false }
      cursor = BlockCursor(ring)
      scope = .found(epoch)
      return true
    }
  }

  /// Copies the next packet before `limit` into `scratch` and passes it to `write`, which returns false without room.
  /// `written`: end of the ring.
  func copyPacket(
    upTo limit: StreamTime, _ context: RecordingContext, into scratch: UnsafeMutableRawPointer,
    written: () -> StreamTime, write: (UnsafeRawBufferPointer) -> Bool
  ) -> Step {
    let before = cursor
    guard let packet = cursor.next(into: scratch) else {
      if let until, written() >= until { end() }
      return .nothing
    }
    if packet.start >= limit, packet.epoch == epoch {
      cursor = before
      return .nothing
    }
    guard belongs(packet) else { return .nothing }
    let joint = fit(packet, scratch)
    guard write(UnsafeRawBufferPointer(start: scratch, count: packet.info.byteCount)) else {
      cursor = before
      return .noRoom
    }
    if case .recording = purpose {
      cues.add(packet.start, context, at: recorded, file: path, after: existing)
    }
    self.joint = joint
    recorded += packet.info.duration
    byteCount += packet.info.byteCount
    return .taken
  }

  /// True if the packet belongs to the segment; otherwise the segment ends.
  private func belongs(_ packet: HeldPacket) -> Bool {
    forgive(packet)
    if packet.epoch != epoch {
      fail(.slow(path))
    } else if let until, packet.start + packet.info.duration.share(1, of: 2) > until {
      // The normal end.
    } else if cursor.hasLost {
      fail(.slow(path))
    } else if !packet.info.format.isRecordable {
      fail(.notRecordable(packet.info.format))
    } else if let format, !format.fits(packet.info.format) {
      fail(.changed(format, packet.info.format))
    } else if let old = existing?.format, format == nil, !old.fits(packet.info.format) {
      fail(.otherFormat(path, old, packet.info.format))
    } else {
      format = packet.info.format
      return true
    }
    end()
    return false
  }

  /// A song whose beginning was dropped while its file was opened starts a little later.
  private func forgive(_ packet: HeldPacket) {
    guard case .song = purpose, byteCount == 0, cursor.hasLost, packet.epoch == epoch else { return }
    cursor.hasLost = false
    lost = max(.zero, packet.start - start)
  }

  /// Makes a packet valid after a join: parts that refer to missing packets are muted. Returns the bytes of main data
  /// so far; nil when all references are complete.
  private func fit(_ packet: HeldPacket, _ bytes: UnsafeMutableRawPointer) -> Int? {
    if byteCount > 0, packet.info.followsGap || packet.info.joins || packet.info.beginsFile { joint = 0 }
    guard let available = joint, packet.info.format.codec == .mpegLayer3 else { return nil }
    let buffer = UnsafeMutableBufferPointer(
      start: bytes.assumingMemoryBound(to: UInt8.self), count: packet.info.byteCount)
    guard let main = MainData(buffer.span), main.earlierByteCount > available else { return nil }
    var span = buffer.mutableSpan
    MainData.mute(&span, available: available)
    return min(MainData.maxEarlierByteCount, available + main.byteCount)
  }

  // MARK: Its cue sheet

  var hasCue: Bool { !cues.text.isEmpty }

  func removeCue() -> String { cues.removeText() }
}
