/// Format of a track's samples: an entry of `stsd` (ISO 14496-12, 8.5.2), also in QuickTime's form.
enum SampleDescription: Hashable, Sendable {
  /// Raw access units, which get ADTS headers.
  case aac(AudioSpecificConfig)
  /// MPEG audio frames, passed on unchanged.
  case mpegAudio
  case refused(RefusedCodec)

  var refusal: RefusedCodec? { if case .refused(let codec) = self { codec } else { nil } }

  static var maxEntryCount: Int { 8 }

  static func readAll(_ bytes: Span<UInt8>, in stsd: Range<Int>) -> [SampleDescription] {
    guard let version = bytes.word32(at: stsd.lowerBound, in: stsd).map({ $0 >> 24 }) else { return [] }
    var entries: [SampleDescription] = []
    var place = stsd.lowerBound + 8
    while entries.count < maxEntryCount, let entry = bytes.nextBox(at: &place, in: stsd) {
      entries.append(read(bytes, entry, isQuickTime: version == 0))
    }
    return entries
  }

  private static func read(_ bytes: Span<UInt8>, _ entry: BoxHeader, isQuickTime: Bool) -> SampleDescription {
    switch BoxType(rawValue: entry.type) {
    case .mp4a: readMp4a(bytes, in: entry.content, isQuickTime: isQuickTime)
    case .mp3, .mp3InWave: .mpegAudio
    case .enca: .refused(.encrypted)
    case .ac3: .refused(.ac3)
    case .eac3: .refused(.eac3)
    case .opus: .refused(.opus)
    case .flac: .refused(.flac)
    case .alac: .refused(.alac)
    default: .refused(.other)
    }
  }

  /// An entry's fields have 28 bytes. QuickTime's versions 1 and 2 add 16 and 36 bytes, version 1 of ISO adds no bytes.
  private static func readMp4a(_ bytes: Span<UInt8>, in entry: Range<Int>, isQuickTime: Bool) -> SampleDescription {
    guard let version = bytes.word32(at: entry.lowerBound + 8, in: entry).map({ $0 >> 16 }) else {
      return .refused(.other)
    }
    let added = !isQuickTime || version == 0 ? 0 : version == 1 ? 16 : 36
    let start = entry.lowerBound + 28 + added
    guard start <= entry.upperBound else { return .refused(.other) }
    let boxes = start..<entry.upperBound
    guard let esds = bytes.box(.esds, in: boxes) ?? bytes.box(.esds, in: bytes.box(.wave, in: boxes)),
      let decoder = DecoderDescriptor(bytes, in: esds)
    else { return .refused(.other) }
    return read(bytes, decoder)
  }

  /// Maps the object type indication (registry at mp4ra.org; ISO 14496-1, table 5).
  private static func read(_ bytes: Span<UInt8>, _ decoder: DecoderDescriptor) -> SampleDescription {
    switch decoder.objectType {
    case 0x40, 0x66, 0x67, 0x68:
      guard let config = decoder.config else { return .refused(.unknownAac) }
      let bytes = bytes.extracting(config)
      var bits = BitReader(bytes)
      return switch AudioSpecificConfig.read(&bits, of: bytes) {
      case .config(let config): .aac(config)
      case .refused(let codec): .refused(codec)
      }
    case 0x69, 0x6B: return .mpegAudio
    case 0xA5: return .refused(.ac3)
    case 0xA6: return .refused(.eac3)
    case 0xAD: return .refused(.opus)
    default: return .refused(.other)
    }
  }
}
