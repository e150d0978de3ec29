import Units

/// What an encoded packet is.
public enum Codec: UInt8, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// MPEG audio Layer I (ISO 11172-3).
  case mpegLayer1 = 1
  /// MPEG audio Layer II.
  case mpegLayer2 = 2
  /// MPEG audio Layer III, versions 1, 2 and 2.5: "MP3".
  case mpegLayer3 = 3
  /// AAC in ADTS frames (ISO 13818-7, 14496-3), SBR and PS included.
  case aac = 4
  /// Vorbis (Xiph.Org, Vorbis I).
  case vorbis = 5
  /// Opus (RFC 6716).
  case opus = 6
  /// FLAC (RFC 9639).
  case flac = 7
  /// Samples as they are, of WAV.
  case pcm = 8

  /// The name that people use.
  public var description: String {
    switch self {
    case .mpegLayer1: "MP1"
    case .mpegLayer2: "MP2"
    case .mpegLayer3: "MP3"
    case .aac: "AAC"
    case .vorbis: "Vorbis"
    case .opus: "Opus"
    case .flac: "FLAC"
    case .pcm: "PCM"
    }
  }
}

/// What the header of an encoded packet says. The decoder has the last word on rate and channels: of HE-AAC the header
/// tells only the half.
public struct PacketFormat: Hashable, Sendable, BitwiseCopyable {
  /// The codec.
  public var codec: Codec
  /// The header's sample rate.
  public var sampleRate: SampleRate
  /// The header's channels; 0 where an ADTS header leaves them to the first element.
  public var channels: UInt8
  /// An AAC object type minus one (0 Main, 1 LC, 2 SSR, 3 LTP); 0 for all other codecs.
  public var profile: UInt8
  /// What the decoder has to know before, by its number in a `SetupTable`; 0 where a packet tells all by itself.
  public var setup: UInt8 = 0

  /// A format as a header tells it.
  public init(codec: Codec, sampleRate: SampleRate, channels: UInt8, profile: UInt8 = 0, setup: UInt8 = 0) {
    self.codec = codec
    self.sampleRate = sampleRate
    self.channels = channels
    self.profile = profile
    self.setup = setup
  }
}

/// One whole encoded packet, without its bytes.
public struct PacketInfo: Hashable, Sendable, BitwiseCopyable {
  /// What its header says.
  public var format: PacketFormat
  /// Its length, header included.
  public var byteCount: Int
  /// How long it sounds, exact in ticks.
  public var duration: StreamTime
  /// Where it began, in bytes of audio since the framer's start (tags and garbage counted).
  public var byteOffset: Int
  /// Bytes were lost or skipped before it: what the decoder remembers does not fit.
  public var followsGap: Bool
  /// The header gives no bit rate (Layer III "free format"), so a decoder must be told the length.
  public var isFreeFormat: Bool
  /// It is the first of another file than the packet before it: the decoder begins anew, and nothing is missing.
  public var beginsFile = false
  /// Frames at its beginning that are not heard, at its header's rate: what brings the decoder in tune, or an encoder's
  /// delay.
  public var mutedHead = 0
  /// Such frames at its end: an encoder's padding.
  public var mutedTail = 0
  /// Whether the frames that are not heard take no time: `duration` is that of the others alone.
  public var isTrimmed = false
  /// The number of its first frame in its stream, as the container counts; nil where that does not tell.
  ///
  /// The ring does not keep it.
  public var firstFrame: Int?
  /// The number of its logical stream, in a container that has several; nil in any other.
  ///
  /// The ring does not keep it.
  public var link: UInt32?

  /// A packet's facts.
  public init(
    format: PacketFormat, byteCount: Int, duration: StreamTime, byteOffset: Int, followsGap: Bool,
    isFreeFormat: Bool = false
  ) {
    self.format = format
    self.byteCount = byteCount
    self.duration = duration
    self.byteOffset = byteOffset
    self.followsGap = followsGap
    self.isFreeFormat = isFreeFormat
  }

  /// Frames in it at its header's rate, heard or not.
  public var headerFrames: Int {
    duration.frames(at: format.sampleRate).value + (isTrimmed ? mutedHead + mutedTail : 0)
  }

  /// Leaves only those frames audible that sound within `heard`, where it begins at `start`.
  public mutating func mute(outside heard: Range<StreamTime>, at start: StreamTime) {
    // Nothing sounds of one that is trimmed as a whole.
    guard !isTrimmed || duration > .zero else { return }
    let count = headerFrames - (isTrimmed ? mutedHead + mutedTail : 0)
    func frames(before time: StreamTime) -> Int {
      // Rounded up, and no more than there are.
      let part = max(0, min(duration.ticks, (time - start).ticks))
      return min(count, Int((part * Int64(count) + duration.ticks - 1) / max(1, duration.ticks)))
    }
    let last = heard.upperBound.ticks == .max ? count : frames(before: heard.upperBound)
    let first = min(last, frames(before: heard.lowerBound))
    guard isTrimmed else { return (mutedHead, mutedTail) = (first, count - last) }
    guard first > 0 || last < count else { return }
    // What is muted now takes time, and what was trimmed does not: all of it is told in shares of what takes time.
    let all = headerFrames
    (mutedHead, mutedTail) = (
      share(mutedHead + first, of: all, in: count), share(all - mutedHead - last, of: all, in: count)
    )
    isTrimmed = false
  }

  /// `part` of `all` frames as a share of `count`, rounded up.
  private func share(_ part: Int, of all: Int, in count: Int) -> Int { (part * count + all - 1) / max(1, all) }

  /// Which of the `frameCount` frames that it was decoded to are to be heard.
  public func audible(of frameCount: Int) -> Range<Int> {
    let count = max(1, headerFrames)
    let last = frameCount - min(frameCount, mutedTail * frameCount / count)
    return min(last, mutedHead * frameCount / count)..<last
  }
}
