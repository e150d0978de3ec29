import Blocks
import Units

/// Decodes the packets of a programme, and handles changes of their format. Decode thread only.
///
/// Creates a new decoder for another codec, another set-up or an AAC stream of another shape. Unused codecs need no
/// memory.
public struct PacketDecoder: ~Copyable {
  private let depth: SampleDepth
  private let mp3: Mp3Decoder
  private let setups: SetupTable
  private var decoder: (any Decoder)?
  private var room = PacketRoom()
  private var format: PacketFormat?
  /// True if the format's set-up was rejected and is not tried again.
  private var isRefused = false
  private var failures = 0
  private var allowance = DecoderAllowance()
  private var limiter: SuspectLimiter

  /// Bytes after a packet that the decoder fills with zeros, because libraries may read them.
  public static let guardByteCount = MadDecoder.guardByteCount

  /// Creates a decoder with output rounded to `depth`. `mp3` selects the library for MP3; `setups` contains the set-ups
  /// of packets.
  public init(_ depth: SampleDepth, mp3: Mp3Decoder = .mad, setups: SetupTable = SetupTable()) {
    (self.depth, self.mp3, self.setups) = (depth, mp3, setups)
    limiter = SuspectLimiter(depth)
  }

  /// Clears the state, for another programme or another place in it.
  public mutating func reset() {
    // libfaad cannot be reset completely.
    if format?.codec == .aac { decoder = nil }
    decoder?.forget()
    format = nil
    failures = 0
    limiter = SuspectLimiter(depth)
  }

  /// Advances the time that limits the creation of decoders.
  public mutating func pass(to now: MonotonicTime) { allowance.pass(to: now) }

  /// True if the last packet may be damaged and its samples were lowered.
  public var hasLowered: Bool { limiter.hasLowered }

  /// Decodes one complete packet in `bytes`, with room for `guardByteCount` more bytes after it.
  ///
  /// The caller drops a packet that fails and continues with the next; no failure is fatal. A suspect packet before any
  /// other sound also fails, because the programme's loudness is unknown.
  public mutating func decode(
    _ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo
  ) throws(DecodeError) -> DecodedPcm {
    try decode(bytes, info, firstCount: info.byteCount) { _ in 0 }
  }

  /// Decodes one packet that arrives in parts.
  ///
  /// - Parameters:
  ///   - bytes: Room for any part and `guardByteCount` more bytes; contains the first part.
  ///   - info: The packet's description.
  ///   - firstCount: The first part's bytes.
  ///   - more: Overwrites the part with the next part and returns that part's byte count, 0 at the end. If the first
  ///     part is not the whole packet, `more` is always called until the end.
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
      // The packet is missing, so the decoder's state does not fit the next packet.
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
      if pcm.frameCount > 0 { allowance.addTime(info.duration) }
      return pcm
    } catch {
      throw fail(error)
    }
  }

  /// The number of consecutive failures after which the decoder is replaced, or cleared if it has a set-up.
  private static let patience = 16

  private mutating func fail(_ error: DecodeError) -> DecodeError {
    failures += 1
    guard error == .resetDecoder || failures >= Self.patience else { return error }
    failures = 0
    if error == .discardPacket, let format, format.setup != 0, decoder != nil || isRefused {
      // A decoder with a set-up is expensive to create.
      decoder?.forget()
    } else {
      (decoder, format) = (nil, nil)
    }
    return error
  }

  /// Copies frames of the last packet, each two samples of 24 bits. Limits a suspect packet to 6 dB above the loudest
  /// sample of the last two seconds.
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
      // Frees the old decoder first, since a set-up may use a megabyte.
      decoder = nil
      room = PacketRoom()
      if setup == nil || allowance.consume() {
        decoder = DecoderChoice.decoder(for: new.codec, depth, mp3, setup)
        isRefused = decoder == nil && setup != nil
      } else {
        // The next packet tries again.
        format = nil
      }
    }
  }
}
