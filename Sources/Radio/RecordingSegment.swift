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
  }

  /// Its file's number.
  let file: UInt32
  let purpose: Purpose
  var path: String
  var cursor: BlockCursor
  /// The programme that it is of; nil: the next one, from its first packet on.
  var epoch: UInt32?
  /// Whether its place in the programme is found.
  var isPlaced: Bool
  /// Where it ends; nil while that is not known.
  var until: StreamTime?
  /// Whether nothing more is taken, and whether the file was told.
  var (isOver, isClosing) = (false, false)
  var isOpen = false
  /// Whether nobody is told of its end.
  var isSilent = false
  /// Bytes that its file took.
  var fileByteCount = 0
  var failure: RecordingError?

  /// Where it was to begin.
  var start = StreamTime.zero
  /// What was dropped from the ring before it began.
  var lost = StreamTime.zero

  /// What its packets are.
  var format: PacketFormat?
  /// What it goes on behind.
  var existing: ExistingRecording?
  private(set) var recorded = StreamTime.zero
  private(set) var byteCount = 0
  var sheet = CueSheet()
  /// The number of the title that was last told to the cue sheet, -1 being none; nil before the first packet.
  var cueNumber: Int?
  /// Text of the cue sheet that is to be sent.
  var cueText = ""
  /// Main data since a join, where packets after it still ask for more; nil where none do.
  private var joint: Int?

  init(
    _ file: UInt32, _ purpose: Purpose, path: String, _ cursor: BlockCursor, epoch: UInt32?, isPlaced: Bool
  ) {
    self.file = file
    self.purpose = purpose
    self.path = path
    self.cursor = cursor
    self.epoch = epoch
    self.isPlaced = isPlaced
  }

  /// Whether a packet has been taken.
  var hasBegun: Bool { byteCount > 0 }

  /// The next bytes come behind others that they do not go on from.
  func join() { joint = 0 }

  /// Makes a packet fit behind a join: what of it cannot be decoded, since it began in packets that are missing, is
  /// made silent. How much main data is there then; nil where all is well again.
  func fit(_ packet: HeldPacket, _ bytes: UnsafeMutableRawPointer) -> Int? {
    if hasBegun, packet.info.followsGap || packet.info.beginsFile { joint = 0 }
    guard let available = joint, packet.info.format.codec == .mpegLayer3 else { return nil }
    let buffer = UnsafeMutableBufferPointer(
      start: bytes.assumingMemoryBound(to: UInt8.self), count: packet.info.byteCount)
    guard let main = MainData(buffer.span), main.beginsBefore > available else { return nil }
    var span = buffer.mutableSpan
    MainData.mute(&span, available: available)
    return min(MainData.furthest, available + main.byteCount)
  }

  /// A packet is on its way.
  func count(_ packet: HeldPacket, joint: Int?) {
    self.joint = joint
    recorded += packet.info.duration
    byteCount += packet.info.byteCount
  }
}
