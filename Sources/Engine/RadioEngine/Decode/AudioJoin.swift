import Alignment
import Blocks
import Decoding
import Units

/// Finds where another encoder's stream continues the programme: decodes the audio before and after the change a second
/// time, in small portions. Exists only from the change until it is played. Decode thread only.
struct AudioJoin: ~Copyable {
  /// Stream time of the other encoder's first packet.
  let change: StreamTime
  /// Stream time of the old audio's first frame in the comparison; nil before its first packet.
  private var start: StreamTime?
  private var aligner = Aligner()
  private var decoder: PacketDecoder
  private var cursor: BlockCursor
  private let room: UnsafeMutablePointer<UInt8>
  /// Room for a period.
  let frames: UnsafeMutablePointer<Int32>
  private var isNew = false
  /// True if the ring dropped packets of the new stream, whose times then differ.
  private var hasHole = false
  /// Stream time of the end of the compared audio.
  private(set) var reached: StreamTime
  /// True if all received audio is compared.
  private(set) var isIdle = false
  /// Rates of the audio before and after the change; nil before the first audio.
  private(set) var rates: (old: SampleRate?, new: SampleRate?)

  init(at change: StreamTime, _ cursor: BlockCursor, _ decoder: consuming PacketDecoder) {
    self.change = change
    self.cursor = cursor
    self.decoder = decoder
    reached = change - Aligner.capacity
    room = .allocate(capacity: MemoryBudget.decoderScratch)
    frames = .allocate(capacity: Period.frameCapacity * Period.channels)
    _ = self.cursor.seek(to: reached)
  }

  deinit {
    room.deallocate()
    frames.deallocate()
  }

  /// Returns the stream time that continues the old audio at `time`; nil if the streams do not match so far.
  func place(for time: StreamTime) -> StreamTime? {
    guard let start, !hasHole, let match = aligner.match else { return nil }
    return change + match.newTime(atOld: time - start)
  }

  /// Packets, and steps of the comparison, in a portion of the work: a few milliseconds on a slow processor.
  private static let (packets, steps) = (8, 6)
  /// Audio in a portion after which no other packet is decoded.
  private static let maxPortion = StreamTime(seconds: 0.2)

  /// Does a portion of the work for the programme `epoch`.
  mutating func work(_ epoch: UInt32) {
    isIdle = true
    var done = StreamTime.zero
    for _ in 0..<Self.packets where !aligner.isFull && done < Self.maxPortion {
      guard let held = cursor.next(into: room) else { break }
      isIdle = false
      done += held.info.duration
      guard held.epoch == epoch, held.start + held.info.duration > change - Aligner.capacity else { continue }
      decode(held)
    }
    for _ in 0..<Self.steps {
      guard aligner.step() else { return }
      isIdle = false
    }
  }

  private mutating func decode(_ held: HeldPacket) {
    if start != nil, held.start != reached { passHole(before: held.start) }
    if start == nil { start = held.start }
    if held.start >= change, !isNew {
      isNew = true
      decoder.reset()
    }
    reached = held.start + held.info.duration
    // The first parts of longer packets alone cannot be decoded.
    if held.info.byteCount == held.firstByteCount, let pcm = try? decoder.decode(room, held.info), pcm.frameCount > 0 {
      append(pcm, held)
    } else {
      appendSilence(held.info)
    }
  }

  /// Starts the comparison again after packets that the ring dropped. A hole in the new stream ends it.
  private mutating func passHole(before next: StreamTime) {
    hasHole = next >= change
    aligner.begin()
    decoder.reset()
    start = nil
  }

  private mutating func append(_ pcm: DecodedPcm, _ held: HeldPacket) {
    if isNew { rates.new = pcm.rate } else { rates.old = pcm.rate }
    for part in PacketParts(pcm.frameCount, heard: held.timed(pcm.frameCount)) where !part.heard.isEmpty {
      decoder.copy(pcm, from: part.heard.lowerBound, count: part.heard.count, to: frames)
      append(part.heard.count, pcm.rate)
    }
  }

  /// Keeps the time over a packet without audio.
  private mutating func appendSilence(_ info: PacketInfo) {
    frames.update(repeating: 0, count: Period.frameCapacity * Period.channels)
    var rest = info.duration.frames(at: info.format.sampleRate).value
    while rest > 0 {
      append(min(rest, Period.maxPart), info.format.sampleRate)
      rest -= Period.maxPart
    }
  }

  private mutating func append(_ count: Int, _ rate: SampleRate) {
    let samples = UnsafeBufferPointer(start: frames, count: count * Period.channels)
    if isNew {
      aligner.appendNew(samples.span, channels: Period.channels, rate: rate)
    } else {
      aligner.appendOld(samples.span, channels: Period.channels, rate: rate)
    }
  }
}
