import Blocks
import CEncoders

/// A short piece of audio, encoded by the codec's own library.
struct EncodedSeed {
  let codec: Codec
  let rate: Int
  let channels: Int
  /// The header packets as in Ogg; for FLAC only STREAMINFO.
  let headers: [[UInt8]]
  let packets: [[UInt8]]

  /// Encodes sawtooth tones with Vorbis, Opus or FLAC.
  init(_ codec: Codec, channels: Int = 1, bits: Int = 16, frames: Int = 2_900) {
    (self.codec, self.channels) = (codec, channels)
    let values = (0..<frames * channels).map { $0 / channels * (37 + 12 * ($0 % channels)) % 400 - 200 }
    let made: encoded
    switch codec {
    case .vorbis:
      rate = 22_050
      made = encode_vorbis(values.map { Float($0) / 400 }, frames, Int32(channels), Int32(rate), 0.1)
    case .opus:
      rate = 48_000
      made = encode_opus(values.map { Float($0) / 400 }, frames, Int32(channels), 16_000, 480, 0)
    default:
      rate = 8_000
      made = encode_flac(values.map { Int32($0 / 25) }, frames, Int32(channels), Int32(rate), Int32(bits), 960)
    }
    defer { encoded_free(made) }
    var (place, all): (Int, [[UInt8]]) = (0, [])
    for index in 0..<made.count {
      all.append(Array(UnsafeBufferPointer(start: made.bytes + place, count: made.lengths[index])))
      place += made.lengths[index]
    }
    (headers, packets) = (Array(all.prefix(made.headers)), Array(all.dropFirst(made.headers)))
  }

  /// The decoder setup.
  var setup: CodecSetup { CodecSetup(codec, codec == .vorbis ? [headers[0], headers[2]] : headers) }

  /// An Ogg file with Opus or FLAC and a title.
  var ogg: [UInt8] {
    let text = Array("TITLE=a".utf8)
    let comments = [0, 0, 0, 0, 1, 0, 0, 0, UInt8(text.count), 0, 0, 0] + text
    let first = codec == .opus ? headers[0] : [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + Self.mark + headers[0]
    let second = codec == .opus ? Array("OpusTags".utf8) + comments : [0x84, 0, 0, UInt8(comments.count)] + comments
    let pages = [[first], [second], Array(packets.prefix(3)), Array(packets.dropFirst(3))]
    let block = codec == .opus ? 480 : 960
    return pages.enumerated().flatMap { number, packets in
      let flags: UInt8 = number == 0 ? 2 : number == 3 ? 4 : 0
      return OggRecipe.page(
        1, UInt32(number), flags, Int64(number < 2 ? 0 : number == 2 ? 3 * block : 2_900),
        packets.flatMap { [UInt8](repeating: 255, count: $0.count / 255) + [UInt8($0.count % 255)] },
        packets.flatMap { $0 })
    }
  }

  var flac: [UInt8] { [0x66, 0x4C, 0x61, 0x43, 0x80, 0, 0, 34] + headers[0] + packets.flatMap { $0 } }

  /// "fLaC" and the header of a STREAMINFO block.
  private static let mark: [UInt8] = [0x66, 0x4C, 0x61, 0x43, 0, 0, 0, 34]
}
