import CEncoders

/// Music encoded by the reference libraries, with the expected decoded audio.
public struct EncodedMusic: Sendable {
  /// The codec and its parameters.
  public enum Codec: Sendable, CustomStringConvertible {
    case vorbis
    /// Packets of `block` frames at 48 kHz: 120, 240, 480, 960, 1,920 or 2,880.
    case opus(block: Int = 960)
    /// Samples of `bits` bits in packets of `block` frames.
    case flac(bits: Int = 16, block: Int = 4_096)

    /// The codec's name.
    public var description: String {
      switch self {
      case .vorbis: "Vorbis"
      case .opus: "Opus"
      case .flac: "FLAC"
      }
    }
  }

  /// An audio packet.
  public struct Packet: Sendable {
    /// The bytes of the packet.
    public var bytes: [UInt8]
    /// Number of decoded frames.
    public var frames: Int
  }

  /// The codec and its parameters.
  public let codec: Codec
  /// Decoded frames per second.
  public let rate: Int
  /// The audio packets.
  public let packets: [Packet]
  /// Number of frames to skip at the start.
  public let preSkip: Int
  /// Number of audible frames.
  public let frameCount: Int
  /// The expected output of a 24-bit sink. For FLAC the input; for other codecs the result of the library's decoder.
  public let pcm: [UInt8]
  /// The first header; `last` is the last Vorbis header.
  private let first: [UInt8]
  private let last: [UInt8]

  /// Encodes music. Opus requires 48 kHz. `cut`: frames of Opus or Vorbis that the last page trims.
  public init(_ music: Music, _ form: Codec, cut: Int = 0) {
    (self.codec, rate) = (form, music.rate)
    let (channels, frames) = (Int32(music.channels), music.frameCount)
    let made: encoded
    switch form {
    case .vorbis:
      made = encode_vorbis(music.samples, frames, channels, Int32(rate), 0.4)
    case .opus(let block):
      made = encode_opus(music.samples, frames, channels, 96_000, Int32(block), 0)
    case .flac(let bits, let block):
      made = encode_flac(music.integers(bits), frames, channels, Int32(rate), Int32(bits), Int32(block))
    }
    defer { encoded_free(made) }
    var place = 0
    let all = (0..<made.count).map { index in
      defer { place += made.lengths[index] }
      return Packet(
        bytes: Array(UnsafeBufferPointer(start: made.bytes + place, count: made.lengths[index])),
        frames: made.frames[index])
    }
    var packets = Array(all.dropFirst(made.headers))
    (first, last) = (all[0].bytes, all[made.headers - 1].bytes)
    var (heard, skipped) = (frames, 0)
    switch form {
    case .flac(let bits, _): pcm = S24Samples.bytes(music.integers(bits), bits: bits)
    case .vorbis, .opus:
      var counts = [Int](repeating: 0, count: made.count)
      let isOpus = made.headers == 1
      let capacity = frames + 20_000
      let samples = [Float](unsafeUninitializedCapacity: capacity * music.channels) { room, count in
        guard let start = room.baseAddress else { return }
        let decoded = (isOpus ? decode_opus : decode_vorbis)(made, start, capacity, &counts)
        count = decoded * music.channels
      }
      for index in packets.indices { packets[index].frames = counts[index + made.headers] }
      if isOpus { skipped = 312 }
      heard = min(frames, samples.count / music.channels) - skipped - cut
      pcm = S24Samples.bytes(samples[skipped * music.channels..<(skipped + heard) * music.channels])
    }
    (self.packets, preSkip, frameCount) = (packets, skipped, heard)
  }

  /// Duration of the audible frames in seconds.
  public var duration: Double { Double(frameCount) / Double(rate) }

  /// Returns the header packets for Ogg.
  func headers(_ tags: [String]) -> [[UInt8]] {
    let comments = Self.comments(tags)
    switch codec {
    case .vorbis: return [first, [3] + Array("vorbis".utf8) + comments + [1], last]
    case .opus: return [first, Array("OpusTags".utf8) + comments]
    case .flac:
      var head: [UInt8] = [0x7F] + Array("FLAC".utf8)
      head += [1, 0, 0, 1]
      head += Array("fLaC".utf8) + [0, 0, 0, 34]
      return [head + first, [0x84] + Self.bigEndian(comments.count, 3) + comments]
    }
  }

  /// Returns a native FLAC stream. `isSized`: the header contains the total length.
  public func flac(_ tags: [String] = [], isSized: Bool = true) -> [UInt8] {
    let comments = Self.comments(tags)
    var info = first
    if isSized {
      let count = Self.bigEndian(frameCount, 5)
      info[13] |= count[0] & 0x0F
      info.replaceSubrange(14..<18, with: count[1...])
    }
    var head = Array("fLaC".utf8) + [0, 0, 0, 34]
    head += info
    head += [0x84] + Self.bigEndian(comments.count, 3)
    head += comments
    return packets.reduce(into: head) { $0 += $1.bytes }
  }

  private static func comments(_ tags: [String]) -> [UInt8] {
    func text(_ text: String) -> [UInt8] { bigEndian(text.utf8.count, 4).reversed() + Array(text.utf8) }
    return text("Bakelite") + bigEndian(tags.count, 4).reversed() + tags.flatMap { text($0) }
  }

  private static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
}
