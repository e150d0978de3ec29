import Blocks
import Units

/// Decodes the packets of a programme, whatever they are, and goes on when their format changes.
///
/// Belongs to the decode thread. A new codec or an AAC stream of another shape gets a new decoder.
public struct PacketDecoder: ~Copyable {
  private let depth: SampleDepth
  private var mad: MadDecoder
  private var faad: FaadDecoder?
  private var format: PacketFormat?
  private var failures = 0
  private var limiter: SuspectLimiter

  /// Bytes behind a packet that a decoder may look at; it fills them with zeros.
  public static let guardByteCount = MadDecoder.guardByteCount

  /// A decoder whose samples are rounded to `depth`.
  public init(_ depth: SampleDepth) {
    self.depth = depth
    mad = MadDecoder(depth)
    limiter = SuspectLimiter(depth)
  }

  /// Begins anew: another programme, or another place in it.
  public mutating func reset() {
    restart()
    limiter = SuspectLimiter(depth)
  }

  /// The last packet may be damaged, and its samples were lowered when they were copied.
  public var hasLowered: Bool { limiter.hasLowered }

  private mutating func restart() {
    mad.forget()
    faad = nil
    format = nil
    failures = 0
  }

  /// Decodes one packet; `bytes` has room for `guardByteCount` more behind it.
  ///
  /// A packet that fails is dropped by the caller, which goes on with the next; nothing here is ever fatal. So is one
  /// that may be damaged before any sound tells how loud the programme is.
  public mutating func decode(
    _ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo
  ) throws(DecodeError) -> DecodedPcm {
    (bytes + info.byteCount).update(repeating: 0, count: Self.guardByteCount)
    if info.format != format { change(to: info.format) }
    if info.followsGap { forget() }
    limiter.begin(followsGap: info.followsGap)
    let pcm: DecodedPcm
    do throws(DecodeError) {
      pcm = try info.format.codec == .aac ? decodeAac(bytes, info) : mad.decode(bytes, info)
      failures = 0
      if isSuspect() { limiter.suspect() }
    } catch {
      if isSuspect() { limiter.suspect() }
      failures += 1
      if error == .resetDecoder || failures >= Self.patience { restart() }
      throw error
    }
    guard pcm.frameCount == 0 || !limiter.isMute else { throw .discardPacket }
    return pcm
  }

  /// Whether the last packet may be damaged, by what its decoder saw.
  private mutating func isSuspect() -> Bool {
    format?.codec == .aac ? faad?.seesDamage() ?? false : mad.isSuspect
  }

  /// So many failures in a row, and a decoder begins anew.
  private static let patience = 16

  private mutating func decodeAac(
    _ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo
  ) throws(DecodeError) -> DecodedPcm {
    if faad == nil { faad = FaadDecoder(depth) }
    guard let pcm = try faad?.decode(bytes, info) else { throw .resetDecoder }
    return pcm
  }

  /// Writes frames of the packet decoded last, two interleaved samples of 24 bits each. Where it may be damaged, they
  /// are held to 6 dB over the loudest of the last two seconds.
  public mutating func copy(
    _ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>
  ) {
    if format?.codec == .aac {
      faad?.copy(from: offset, count: count, to: out)
    } else {
      precondition(offset == 0 && count == pcm.frameCount, "an MPEG frame fits into one period")
      mad.copy(pcm, to: out)
    }
    let peak = RecentPeak.peak(out, count: Period.channels * count)
    if format?.codec == .mpegLayer3, limiter.wouldLower(peak), let age = mad.misfit() {
      limiter.suspect(packetsAgo: age)
    }
    limiter.limit(out, count: count, peak: peak, at: pcm.rate)
  }

  private mutating func change(to new: PacketFormat) {
    let old = format
    format = new
    if new.codec == .aac {
      faad = nil
    } else if old?.codec != new.codec || old?.sampleRate != new.sampleRate {
      mad.forget()
    }
  }

  private mutating func forget() {
    mad.forget()
    faad?.forget()
  }
}
