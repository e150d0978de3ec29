import Blocks
import Units

/// Decodes the packets of a programme, whatever they are, and goes on when their format changes.
///
/// Belongs to the decode thread. Another codec, another set-up or an AAC stream of another shape gets a new decoder;
/// nothing is reserved for a codec that is not played.
public struct PacketDecoder: ~Copyable {
  private let depth: SampleDepth
  private let mp3: Mp3Decoder
  private let setups: SetupTable
  private var decoder: Decoder?
  private var room = PacketRoom()
  private var format: PacketFormat?
  /// No decoder takes the set-up of that format: it is not tried again.
  private var isRefused = false
  private var failures = 0
  private var allowance = DecoderAllowance()
  private var limiter: SuspectLimiter

  /// Bytes behind a packet that a decoder may look at; it fills them with zeros.
  public static let guardByteCount = MadDecoder.guardByteCount

  /// A decoder whose samples are rounded to `depth`, MP3 by the library named; `setups` has what packets need beside
  /// their bytes.
  public init(_ depth: SampleDepth, mp3: Mp3Decoder = .mad, setups: SetupTable = SetupTable()) {
    (self.depth, self.mp3, self.setups) = (depth, mp3, setups)
    limiter = SuspectLimiter(depth)
  }

  /// Begins anew: another programme, or another place in it.
  public mutating func reset() {
    // libfaad cannot forget all that it knows.
    if format?.codec == .aac { decoder = nil }
    decoder?.forget()
    format = nil
    failures = 0
    limiter = SuspectLimiter(depth)
  }

  /// Notes what time it is, which bounds how many decoders are made.
  public mutating func pass(to now: MonotonicTime) { allowance.pass(to: now) }

  /// The last packet may be damaged, and its samples were lowered when they were copied.
  public var hasLowered: Bool { limiter.hasLowered }

  /// Decodes one packet that lies in `bytes` as a whole, with room for `guardByteCount` more behind it.
  ///
  /// A packet that fails is dropped by the caller, which goes on with the next; nothing here is ever fatal. So is one
  /// that may be damaged before any sound tells how loud the programme is.
  public mutating func decode(
    _ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo
  ) throws(DecodeError) -> DecodedPcm {
    try decode(bytes, info, firstCount: info.byteCount) { _ in 0 }
  }

  /// Decodes one packet that comes in pieces, as a whole one is.
  ///
  /// - Parameters:
  ///   - bytes: Room for any of its pieces and `guardByteCount` bytes more; the first piece lies in it.
  ///   - info: The packet's facts.
  ///   - firstCount: The first piece's bytes.
  ///   - more: Writes the next piece over the last one and gives its byte count, 0 behind the last. Where the first
  ///     piece is not all, it is always called until then.
  public mutating func decode(
    _ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo, firstCount: Int,
    more: (UnsafeMutablePointer<UInt8>) -> Int
  ) throws(DecodeError) -> DecodedPcm {
    if info.format != format { change(to: info.format) }
    if info.followsGap { decoder?.forget() }
    limiter.begin(followsGap: info.followsGap)
    let pcm: DecodedPcm
    if let packet = room.whole(bytes, info.byteCount, firstCount: firstCount, more: more) {
      pcm = try decodeWhole(packet, info)
    } else {
      // What it would have said to the next packet is missing.
      decoder?.forget()
      limiter.suspect()
      throw fail(.discardPacket)
    }
    guard pcm.frameCount == 0 || !limiter.isMute else { throw .discardPacket }
    return pcm
  }

  private mutating func decodeWhole(
    _ packet: UnsafeMutablePointer<UInt8>, _ info: PacketInfo
  ) throws(DecodeError) -> DecodedPcm {
    guard let decoder else { throw fail(.discardPacket) }
    defer { if decoder.isSuspect { limiter.suspect() } }
    do throws(DecodeError) {
      let pcm = try decoder.decode(packet, info)
      failures = 0
      if pcm.frameCount > 0 { allowance.hear(info.duration) }
      return pcm
    } catch {
      throw fail(error)
    }
  }

  /// So many failures in a row, and a decoder begins anew.
  private static let patience = 16

  /// Counts a failure.
  private mutating func fail(_ error: DecodeError) -> DecodeError {
    failures += 1
    guard error == .resetDecoder || failures >= Self.patience else { return error }
    failures = 0
    if error == .discardPacket, let format, format.setup != 0, decoder != nil || isRefused {
      // What has a set-up forgets all that it heard, and may cost much to be made anew.
      decoder?.forget()
    } else {
      (decoder, format) = (nil, nil)
    }
    return error
  }

  /// Writes frames of the packet decoded last, two interleaved samples of 24 bits each. Where it may be damaged, they
  /// are held to 6 dB over the loudest of the last two seconds.
  public mutating func copy(
    _ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>
  ) {
    decoder?.copy(pcm, from: offset, count: count, to: out)
    let peak = RecentPeak.peak(out, count: Period.channels * count)
    if limiter.wouldLower(peak), let age = decoder?.misfit() { limiter.suspect(packetsAgo: age) }
    limiter.limit(out, count: count, peak: peak, at: pcm.rate)
  }

  private mutating func change(to new: PacketFormat) {
    let old = format
    format = new
    let setup = new.setup == 0 ? nil : setups.setup(new.setup)
    if let decoder, decoder.accepts(new, setup) {
      if old?.codec != new.codec || old?.sampleRate != new.sampleRate { decoder.forget() }
    } else {
      // Not two at once: a set-up may take a megabyte.
      decoder = nil
      room = PacketRoom()
      if setup == nil || allowance.take() {
        decoder = Decoder(new.codec, depth, mp3, setup)
        isRefused = decoder == nil && setup != nil
      } else {
        // The next packet asks again.
        format = nil
      }
    }
  }
}
