import Blocks
import Decoding
import Units

/// Continues the programme with another encoder's audio where both are equal, with a crossfade. If the place is unknown
/// when the old audio ends, the clock's estimate decides. Decode thread only.
struct EncoderChange: ~Copyable {
  /// An instruction for the decode loop before the next packet.
  enum Step {
    case proceed
    /// Waits for more audio of the new encoder.
    case wait(Duration)
    case move(Target)
  }

  /// The place that is played next.
  struct Target {
    /// Stream time of the next audio.
    var goal: StreamTime
    /// Stream time of the first packet that prepares the decoder.
    var start: StreamTime
    var followsGap: Bool
    /// The result to report; nil if it was reported before.
    var notice: DecodeNotice?
  }

  private let context: DecodeContext
  /// The comparison, from the change's first packet until it is played.
  private var join: AudioJoin?
  private var fade: Crossfade?
  /// Stream times of the last change that was played, and of the last that was reported.
  private var played: StreamTime?
  private var reported: StreamTime?
  /// Rate of the audio before the first change. The output continues at its rate.
  private(set) var keptRate: SampleRate?

  /// Audio of the new encoder that must be received after the place, so that the buffer does not run empty at once.
  private static let minAhead = StreamTime(seconds: 0.3)
  /// Maximum time from the start of the comparison to the change, because the comparison needs memory.
  private static let maxWait = StreamTime(seconds: 60)
  /// Queued audio that is left for the search at the end of the old audio.
  private static let minQueued = StreamTime(seconds: 0.2)

  init(_ context: DecodeContext) { self.context = context }

  /// Starts another programme.
  mutating func begin() {
    forget()
    (reported, keptRate) = (nil, nil)
  }

  /// Starts at another place of the programme.
  mutating func forget() {
    join = nil
    fade = nil
    played = nil
  }

  // MARK: Before the change

  /// True while the audio after a change is mixed.
  private var isFading: Bool { fade != nil && join == nil }

  /// True if a change is compared.
  var isPending: Bool { join != nil }

  /// Starts the comparison for a change that is played within a minute. `next`: time of the next packet. `goal`: time
  /// of the first audio that is played.
  mutating func notice(_ reader: borrowing BlockReader, _ next: StreamTime?, _ goal: StreamTime, at now: MonotonicTime)
  {
    guard let start = reader.joinStart, start != played, start != join?.change, goal < start, let next, next <= start,
      start - next < Self.maxWait, !isFading
    else { return }
    fade = nil
    var decoder = PacketDecoder(context.depth, mp3: context.mp3Decoder, setups: context.setups)
    decoder.pass(to: now)
    join = AudioJoin(at: start, reader.cursor(), decoder)
  }

  /// Does a portion of the comparison. Returns true if more is to do.
  mutating func work(_ epoch: UInt32) -> Bool {
    join?.work(epoch)
    return join?.isIdle == false
  }

  /// Handles the last second before the change. `next`: time of the next packet. `queued`: audio not yet played.
  mutating func pass(
    _ next: StreamTime?, _ epoch: UInt32, queued: StreamTime, _ reader: inout BlockReader,
    _ decoder: inout PacketDecoder, _ room: UnsafeMutablePointer<UInt8>
  ) -> Step {
    guard let change = join?.change, let next, next >= change - Crossfade.length else { return .proceed }
    guard next <= change else {
      forget()
      return .proceed
    }
    // The packets of this second before the crossfade are its primer.
    beginFade()
    let (place, reached) = (join?.place(for: next), join?.reached ?? .zero)
    if let place, reached >= place + (change - next) + Self.minAhead, fade?.hasPrimer == true || next == change {
      decodeTail(from: next, to: change, epoch, &reader, &decoder, room)
      let overlap = place + (change - next) - change
      return .move(target(place, at: change, followsGap: false, (overlap, .zero), isEstimated: false))
    }
    let isBusy = work(epoch)
    guard next == change else { return .proceed }
    // Without queued audio, the comparison would lengthen the silence.
    if context.isFree ? isBusy : queued > Self.minQueued { return .wait(isBusy ? .zero : Duration(milliseconds: 10)) }
    // The new encoder is too late for its place: as little as possible is repeated.
    let latest = max(change, reached - StreamTime(seconds: 1))
    let extent = place.map { (min($0, latest) - change, .zero) } ?? reader.joinEstimate ?? (.zero, .zero)
    fade = nil
    return .move(target(change + extent.0, at: change, followsGap: true, extent, isEstimated: true))
  }

  private mutating func beginFade() { if fade == nil, let rate = join?.rates.new { fade = Crossfade(at: rate) } }

  /// Decodes the rest of the old audio for the crossfade.
  private mutating func decodeTail(
    from next: StreamTime, to change: StreamTime, _ epoch: UInt32, _ reader: inout BlockReader,
    _ decoder: inout PacketDecoder, _ room: UnsafeMutablePointer<UInt8>
  ) {
    var next = next
    while next < change, let held = reader.next(into: room), let frames = join?.frames {
      // Another programme was tuned: its first packet is left for it.
      guard held.epoch == epoch else {
        _ = reader.seek(to: held.start)
        break
      }
      next = held.start + held.info.duration
      guard
        let pcm = try? decoder.decode(room, held.info, firstCount: held.firstByteCount, more: { reader.more(into: $0) })
      else { continue }
      for part in PacketParts(pcm.frameCount, heard: held.timed(pcm.frameCount)) where !part.heard.isEmpty {
        decoder.copy(pcm, from: part.heard.lowerBound, count: part.heard.count, to: frames)
        if context.isMono, pcm.channels > 1 { MonoMix.apply(frames, count: part.heard.count) }
        fade?.append(frames, count: part.heard.count, at: pcm.rate)
      }
    }
    fade?.finish()
    keptRate = keptRate ?? join?.rates.old
  }

  /// Ends the comparison. `extent`: audio that was buffered before, and missing audio.
  private mutating func target(
    _ place: StreamTime, at change: StreamTime, followsGap: Bool, _ extent: (overlap: StreamTime, lost: StreamTime),
    isEstimated: Bool
  ) -> Target {
    join = nil
    played = change
    let notice = DecodeNotice.joined(overlap: extent.overlap, lost: extent.lost, isEstimated: isEstimated)
    return Target(
      goal: place, start: max(change, place - DecodeLoop.runUp), followsGap: followsGap,
      notice: isUnreported(change) ? notice : nil)
  }

  private mutating func isUnreported(_ change: StreamTime) -> Bool {
    defer { reported = change }
    return change != reported
  }

  // MARK: After the change

  func hasPlayed(_ change: StreamTime) -> Bool { change == played }

  /// Passes the first packet of another encoder without a comparison: after a seek, or if the encoder changed again.
  /// Returns the result to report; nil if it was reported before.
  mutating func skip(at change: StreamTime) -> DecodeNotice? {
    guard isUnreported(change) else { return nil }
    return .joined(overlap: .zero, lost: .zero, isEstimated: true)
  }

  /// Passes decoded audio: before the change as the primer of the crossfade, after it to be mixed with the old audio.
  mutating func mix(into frames: UnsafeMutablePointer<Int32>, count: Int, at rate: SampleRate) {
    guard fade != nil else { return }
    if join != nil {
      fade?.appendPrimer(frames, count: count, at: rate)
    } else {
      if fade?.rate == rate { fade?.mix(into: frames, count: count) }
      if fade?.rate != rate || fade?.isOver == true { fade = nil }
    }
  }

  /// Ends a conversion of old audio.
  func end(_ converter: inout RateConverter?) {
    if fade == nil { converter?.flush() } else { fade?.end(&converter) }
  }

  /// Starts a conversion of new audio.
  func prime(_ converter: inout RateConverter?) { if join == nil { fade?.prime(&converter) } }
}
