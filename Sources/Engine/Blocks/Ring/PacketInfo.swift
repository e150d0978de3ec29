import Units

/// The codec of a packet.
public enum Codec: UInt8, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// MPEG audio Layer I (ISO 11172-3).
  case mpegLayer1 = 1
  /// MPEG audio Layer II.
  case mpegLayer2 = 2
  /// MPEG audio Layer III, versions 1, 2 and 2.5: "MP3".
  case mpegLayer3 = 3
  /// AAC in ADTS frames (ISO 13818-7, 14496-3), including SBR and PS.
  case aac = 4
  /// Vorbis (Xiph.Org, Vorbis I).
  case vorbis = 5
  /// Opus (RFC 6716).
  case opus = 6
  /// FLAC (RFC 9639).
  case flac = 7
  /// Uncompressed samples of WAV or AIFF.
  case pcm = 8

  /// The usual name.
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

/// The format in a packet's header. The decoder determines the actual rate and channels: an HE-AAC header states half.
public struct PacketFormat: Hashable, Sendable, BitwiseCopyable {
  /// The codec.
  public var codec: Codec
  /// The header's sample rate.
  public var sampleRate: SampleRate
  /// The header's channels; 0 if the ADTS header leaves the number to the packet's first element.
  public var channels: UInt8
  /// An AAC object type minus one (0 Main, 1 LC, 2 SSR, 3 LTP); 0 for all other codecs.
  public var profile: UInt8
  /// The number of the decoder's set-up in a `SetupTable`; 0 if packets need none.
  public var setup: UInt8 = 0

  /// Creates a format.
  public init(codec: Codec, sampleRate: SampleRate, channels: UInt8, profile: UInt8 = 0, setup: UInt8 = 0) {
    self.codec = codec
    self.sampleRate = sampleRate
    self.channels = channels
    self.profile = profile
    self.setup = setup
  }
}

extension PacketFormat {
  /// True if packets of both formats cannot come from one encoder.
  public func differs(from other: PacketFormat) -> Bool {
    codec != other.codec || sampleRate != other.sampleRate || channels != other.channels
  }
}

/// The description of a complete encoded packet, without its bytes.
public struct PacketInfo: Hashable, Sendable, BitwiseCopyable {
  /// The header's format.
  public var format: PacketFormat
  /// The length in bytes, including the header.
  public var byteCount: Int
  /// The exact duration in ticks.
  public var duration: StreamTime
  /// The packet's offset in the audio bytes since the framer's start, including tags and garbage.
  public var byteOffset: Int
  /// True if bytes were lost or skipped before the packet, so that the decoder's state does not fit.
  public var followsGap: Bool
  /// True if the header has no bit rate (Layer III "free format"), so that the decoder needs the length.
  public var isFreeFormat: Bool
  /// True if the packet is the first of another file: the decoder restarts, and no audio is missing.
  public var beginsFile = false
  /// True if the packet is the first of another encoder, which the decode thread joins by its audio.
  public var joins = false
  /// Muted frames at the packet's start, at the header's rate: decoder run-up or encoder delay.
  public var mutedHead = 0
  /// Muted frames at the packet's end, at the header's rate: encoder padding.
  public var mutedTail = 0
  /// True if muted frames have no duration: `duration` covers only the others.
  public var isTrimmed = false
  /// The first frame's number in its stream, from the container; nil if unknown. Not stored in the ring.
  public var firstFrame: Int?
  /// The logical stream's number in a container with several streams; nil otherwise. Not stored in the ring.
  public var link: UInt32?

  /// Creates a description.
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

  /// Frames at the header's rate, including muted ones.
  public var headerFrames: Int {
    duration.frames(at: format.sampleRate).value + (isTrimmed ? mutedHead + mutedTail : 0)
  }

  /// Mutes the frames outside `heard`, for a packet that starts at `start`.
  public mutating func mute(outside heard: Range<StreamTime>, at start: StreamTime) {
    // A trimmed packet without duration has no audible frames.
    guard !isTrimmed || duration > .zero else { return }
    let count = headerFrames - (isTrimmed ? mutedHead + mutedTail : 0)
    func frames(before time: StreamTime) -> Int {
      // Rounds up, and limits the result to the packet.
      let part = max(0, min(duration.ticks, (time - start).ticks))
      return min(count, Int((part * Int64(count) + duration.ticks - 1) / max(1, duration.ticks)))
    }
    let last = heard.upperBound.ticks == .max ? count : frames(before: heard.upperBound)
    let first = min(last, frames(before: heard.lowerBound))
    guard isTrimmed else { return (mutedHead, mutedTail) = (first, count - last) }
    guard first > 0 || last < count else { return }
    // Trimmed frames have no duration, but newly muted frames have one. Scales both to the frames with a duration.
    let all = headerFrames
    (mutedHead, mutedTail) = (
      share(mutedHead + first, of: all, in: count), share(all - mutedHead - last, of: all, in: count)
    )
    isTrimmed = false
  }

  private func share(_ part: Int, of all: Int, in count: Int) -> Int { (part * count + all - 1) / max(1, all) }

  /// Returns the range of audible frames among `frameCount` decoded frames, scaled to the decoder's rate.
  public func audible(of frameCount: Int) -> Range<Int> {
    let count = max(1, headerFrames)
    let last = frameCount - min(frameCount, mutedTail * frameCount / count)
    return min(last, mutedHead * frameCount / count)..<last
  }
}
