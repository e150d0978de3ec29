import Blocks
import Framing
import Units

/// A run of packets on its way from the block ring into one file. The control thread's.
final class RecordingSegment {
  /// What it is for.
  enum Purpose {
    /// A recording, until it is ended.
    case recording
    /// One title of a recording that gives each a file of its own.
    case part
    /// A song that is kept.
    case song(KeptSong, number: Int)
    /// Nothing: nobody is told of its end.
    case none
  }

  /// Which packets are its own.
  enum Scope {
    /// Those of the next programme, from its first one on.
    case nextProgramme
    /// Those of a programme, from its first one on; none was found yet.
    case programme(UInt32)
    /// Those of a programme behind a place in the ring.
    case found(UInt32)
  }

  private enum Stage {
    /// Its file is being opened.
    case opening
    /// Packets go into its file.
    case open
    /// Nothing more is taken; its file is to be closed.
    case over
    /// Its file was told to close.
    case closing
  }

  /// What became of its next packet.
  enum Step {
    case taken, nothing, noRoom
  }

  /// Its file's number.
  let file: UInt32
  private(set) var purpose: Purpose
  private(set) var path: String
  /// Why it ended, or is to end; nil where nothing is wrong.
  private(set) var failure: RecordingError?
  /// Where it ends; nil while that is not known.
  private(set) var until: StreamTime?
  /// Bytes that its file took.
  private(set) var fileByteCount = 0
  /// What was dropped from the ring before it began.
  private(set) var lost = StreamTime.zero
  /// What it goes on behind.
  private(set) var existing: ExistingRecording?
  /// What was taken: how long it sounds, and in bytes.
  private(set) var recorded = StreamTime.zero
  private(set) var byteCount = 0
  private var stage = Stage.opening
  private var scope: Scope
  private var cursor: BlockCursor
  /// Where it was to begin.
  private var start = StreamTime.zero
  /// What its packets are.
  private var format: PacketFormat?
  private var cues = RecordingCues()
  /// Main data since a join, where packets after it still ask for more; nil where none do.
  private var joint: Int?

  init(_ file: UInt32, _ purpose: Purpose, path: String, _ cursor: BlockCursor, _ scope: Scope) {
    (self.file, self.purpose, self.path, self.cursor, self.scope) = (file, purpose, path, cursor, scope)
  }

  // MARK: Its state

  /// The programme that it is of; nil: the next one.
  var epoch: UInt32? {
    switch scope {
    case .nextProgramme: nil
    case .programme(let epoch), .found(let epoch): epoch
    }
  }

  /// Whether nothing more is taken.
  var isOver: Bool { stage == .over || stage == .closing }

  /// Whether its file is still to be opened, and it waits for that.
  var isOpening: Bool { stage == .opening }

  /// Whether its file is still to be told to close.
  var isToClose: Bool { stage == .over }

  /// Takes nothing more.
  func end() { if !isOver { stage = .over } }

  /// Takes what has come up to a moment, and nothing more; nothing at all where its first packet has not come.
  func end(at moment: StreamTime) {
    guard !isOver else { return }
    if case .found = scope { until = moment } else { end() }
  }

  /// Ends as if it had never been.
  func discard() {
    purpose = .none
    end()
  }

  /// Its file was told to close.
  func closes() { stage = .closing }

  /// Notes why it ends, unless that is known already.
  func fail(_ error: RecordingError?) { failure = failure ?? error }

  /// Where it ends.
  func ends(at moment: StreamTime) { until = moment }

  /// Where it was to begin, and where it ends, if that is known.
  func spans(from start: StreamTime, to until: StreamTime?) { (self.start, self.until) = (start, until) }

  /// Another programme begins.
  func programmeBegins(_ epoch: UInt32) { if case .nextProgramme = scope { scope = .programme(epoch) } }

  /// Hears how its file fares.
  func hear(_ report: FileReport) {
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

  /// Finds its first packet; false while there is none.
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

  /// Has `write` take its next packet that begins before `limit`, which is copied into `scratch` first. `write` says
  /// whether there was room for it; `written` is how far the ring has been written.
  func take(
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
      cues.note(packet.start, context, at: recorded, file: path, after: existing)
    }
    self.joint = joint
    recorded += packet.info.duration
    byteCount += packet.info.byteCount
    return .taken
  }

  /// Whether a packet is its own; it is over where that is not so.
  private func belongs(_ packet: HeldPacket) -> Bool {
    forgive(packet)
    if packet.epoch != epoch {
      fail(.slow(path))
    } else if let until, packet.start + packet.info.duration.share(1, of: 2) > until {
      // Its end: nothing is wrong.
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

  /// A song whose beginning is dropped while its file is opened begins a little later.
  private func forgive(_ packet: HeldPacket) {
    guard case .song = purpose, byteCount == 0, cursor.hasLost, packet.epoch == epoch else { return }
    cursor.hasLost = false
    lost = max(.zero, packet.start - start)
  }

  /// Makes a packet fit behind a join: what of it cannot be decoded, since it began in packets that are missing, is
  /// made silent. How much main data is there then; nil where all is well again.
  private func fit(_ packet: HeldPacket, _ bytes: UnsafeMutableRawPointer) -> Int? {
    if byteCount > 0, packet.info.followsGap || packet.info.beginsFile { joint = 0 }
    guard let available = joint, packet.info.format.codec == .mpegLayer3 else { return nil }
    let buffer = UnsafeMutableBufferPointer(
      start: bytes.assumingMemoryBound(to: UInt8.self), count: packet.info.byteCount)
    guard let main = MainData(buffer.span), main.beginsBefore > available else { return nil }
    var span = buffer.mutableSpan
    MainData.mute(&span, available: available)
    return min(MainData.furthest, available + main.byteCount)
  }

  // MARK: Its cue sheet

  /// Whether its cue sheet has text that was not taken.
  var hasCue: Bool { !cues.text.isEmpty }

  /// The text that its cue sheet goes on with.
  func takeCue() -> String { cues.take() }
}
