/// A binary format recognised by its first bytes.
enum Signature: Equatable {
  case kind(ContentKind)
  case cut
  case none

  /// Examines the first bytes after any ID3 tags. `mustDecide`: true if no more bytes will be available.
  init(_ bytes: Span<UInt8>, mustDecide: Bool) {
    var start = 0
    while case .found(let tag) = MetadataTag.search(bytes, at: start), bytes[start] == UInt8(ascii: "I") {
      start += tag.byteCount
      // Only audio packets and FLAC begin with ID3 tags.
      guard start <= bytes.count - 4 else {
        self = start >= bytes.count || mustDecide ? .kind(.audio) : .cut
        return
      }
    }
    let rest = bytes.extracting(start..<bytes.count)
    if rest.matches("fLaC") {
      self = .kind(.container(.flac))
    } else if start > 0 {
      self = .kind(Self.dolby(rest) == nil ? .audio : .refused(.dolby))
    } else if bytes.matches("OggS") {
      self = .kind(.container(.ogg))
    } else if Self.isWave(bytes) {
      self = Self.waveKind(bytes, mustDecide: mustDecide)
    } else if bytes.matches("FORM"), bytes.matches("AIFF", at: 8) || bytes.matches("AIFC", at: 8) {
      self = .kind(.container(.aiff))
    } else if let kind = Self.audioKind(bytes) ?? Self.otherKind(bytes) {
      self = .kind(.refused(kind))
    } else if Self.isForeign(bytes) {
      self = .kind(.unknown)
    } else {
      self = Self.transportStream(bytes, mustDecide: mustDecide)
    }
  }

  /// RIFF/WAVE, or its variants with 64-bit lengths.
  private static func isWave(_ bytes: Span<UInt8>) -> Bool {
    bytes.matches("WAVE", at: 8) && (bytes.matches("RIFF") || bytes.matches("RF64") || bytes.matches("BW64"))
  }

  /// Packets of MPEG audio or ADTS in a WAV file need no container: the framer skips the chunks around them.
  private static func waveKind(_ bytes: Span<UInt8>, mustDecide: Bool) -> Signature {
    var (place, mayHaveAdts) = (12, false)
    while bytes.count - place >= PcmChunk.headerByteCount {
      let chunk = PcmChunk(bytes.extracting(place..<bytes.count), isBigEndian: false)
      let body = place + PcmChunk.headerByteCount
      if bytes.matches("fmt ", at: place) {
        guard bytes.count - body >= 2 else { return mustDecide ? .kind(.container(.wav)) : .cut }
        let format = bytes.little(2, at: body)
        if mpegFormats.contains(format) { return .kind(.audio) }
        guard adtsFormats.contains(format) else { return .kind(.container(.wav)) }
        mayHaveAdts = true
      }
      if mayHaveAdts, bytes.matches("data", at: place) {
        switch PacketHeader.search(bytes, at: body) {
        case .found: return .kind(.audio)
        case .nothing: return .kind(.container(.wav))
        case .cut: return mustDecide ? .kind(.container(.wav)) : .cut
        }
      }
      guard chunk.isNamed else { return .kind(.container(.wav)) }
      guard chunk.paddedByteCount <= bytes.count - body else { break }
      place = body + chunk.paddedByteCount
    }
    let isOpen = mayHaveAdts || bytes.count < 12 + PcmChunk.headerByteCount
    return isOpen && !mustDecide ? .cut : .kind(.container(.wav))
  }

  /// Format tags of MPEG audio (RFC 2361), and of AAC, which may lack ADTS headers.
  private static let mpegFormats = [0x50, 0x55]
  private static let adtsFormats = [0xFF, 0x1600, 0x706D]

  private static func audioKind(_ bytes: Span<UInt8>) -> RefusedKind? {
    if bytes.matches([0x1A, 0x45, 0xDF, 0xA3]) { return .webm }
    if bytes.matches("MPCK") || bytes.matches("MP+") { return .musepack }
    if bytes.matches([0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11]) { return .wave64 }
    if let kind = namedKind(bytes) { return kind }
    if bytes.matches("DSD ") || bytes.matches("FRM8") { return .dsd }
    if dolby(bytes) != nil { return .dolby }
    if otherAudio(bytes) { return .otherCodec }
    if bytes.matches([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return .wma }
    let atoms = ["ftyp", "styp", "moov", "mdat", "moof", "wide"]
    return atoms.contains { bytes.matches($0, at: 4) } ? .m4a : nil
  }

  /// Formats that often have a WAV file's name.
  private static func namedKind(_ bytes: Span<UInt8>) -> RefusedKind? {
    if bytes.matches("caff") { return .coreAudio }
    if bytes.matches(".snd") { return .sun }
    if bytes.matches("Creative Voice File") { return .creativeVoice }
    if bytes.matches("NIST_1A") { return .sphere }
    if bytes.matches("RIFF"), bytes.matches("AVI ", at: 8) { return .avi }
    return bytes.matches("MThd") || bytes.matches("RIFF") && bytes.matches("RMID", at: 8) ? .midi : nil
  }

  /// Syncword with valid values: sample rate and frame size for AC-3, stream type for E-AC-3 (ETSI TS 102 366, 4.3 and
  /// E.1.2). The version distinguishes AC-3 from E-AC-3.
  static func dolby(_ bytes: Span<UInt8>) -> RefusedCodec? {
    guard bytes.matches([0x0B, 0x77]), bytes.count > 5 else { return nil }
    let version = bytes[5] >> 3
    if version <= 10 { return bytes[4] >> 6 < 3 && bytes[4] & 63 < 38 ? .ac3 : nil }
    return version <= 16 && bytes[2] >> 6 < 3 ? .eac3 : nil
  }

  /// Codecs and containers of audio that have no decoder here.
  private static func otherAudio(_ bytes: Span<UInt8>) -> Bool {
    let starts = ["wvpk", "MAC ", "TTA1", "OFR ", "ajkg", "#!AMR", ".ra\u{FD}", ".RMF", "FLV\u{1}"]
    if starts.contains(where: { bytes.matches($0.unicodeScalars.map { UInt8($0.value) }) }) { return true }
    let isDts = bytes.matches([0x7F, 0xFE, 0x80, 0x01]) || bytes.matches([0xFE, 0x7F, 0x01, 0x80])
    return isDts || bytes.matches([0, 0, 1, 0xBA])
  }

  /// Programs, fonts, databases and file archives, which contain false headers of MPEG audio.
  private static func isForeign(_ bytes: Span<UInt8>) -> Bool {
    let starts: [[UInt8]] = [
      [0x7F, 0x45, 0x4C, 0x46], [0xCA, 0xFE, 0xBA, 0xBE], [0xCF, 0xFA, 0xED, 0xFE], [0, 0x61, 0x73, 0x6D],
      [0, 1, 0, 0, 0], [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C],
    ]
    let texts = ["OTTO", "ttcf", "wOFF", "wOF2", "SQLite format 3", "!<arch>\n", "Rar!", "FORM"]
    return starts.contains { bytes.matches($0) } || texts.contains { bytes.matches($0) }
      || bytes.matches("MZ") && bytes.count > 63 && bytes[62] < 2 && bytes[63] < 16 && bytes[3] == 0
      || bytes.matches("ustar", at: 257)
  }

  private static func otherKind(_ bytes: Span<UInt8>) -> RefusedKind? {
    if bytes.matches([0x1F, 0x8B]) || bytes.matches("BZh") { return .compressed }
    if bytes.matches([0xFD, 0x37, 0x7A, 0x58, 0x5A]) || bytes.matches([0x28, 0xB5, 0x2F, 0xFD]) { return .compressed }
    if bytes.matches("PK\u{3}\u{4}") { return .archive }
    if bytes.matches("%PDF-") { return .pdf }
    let isImage =
      bytes.matches([0x89, 0x50, 0x4E, 0x47]) || bytes.matches([0xFF, 0xD8, 0xFF]) || bytes.matches("GIF8")
    return isImage ? .image : nil
  }

  /// Packets of 188 bytes that begin with 0x47 (ISO 13818-1, 2.4.3.2).
  private static func transportStream(_ bytes: Span<UInt8>, mustDecide: Bool) -> Signature {
    guard bytes[0] == 0x47 else { return .none }
    guard bytes.count > 188 else { return mustDecide ? .none : .cut }
    let starts = stride(from: 0, to: bytes.count, by: 188)
    return starts.allSatisfy { bytes[$0] == 0x47 } ? .kind(.container(.transport)) : .none
  }

  // MARK: Streams joined at any byte

  static func detectJoined(_ bytes: Span<UInt8>) -> ContentKind? {
    // FLAC after an ID3 tag longer than the bytes examined first.
    if bytes.matches("fLaC") { return .container(.flac) }
    for offset in bytes.indices {
      switch bytes[offset] {
      case 0x56 where isLoas(bytes, at: offset): return .container(.latm)
      case 0x47 where isTransport(bytes, at: offset): return .container(.transport)
      case UInt8(ascii: "O") where isOggPage(bytes, at: offset): return .container(.ogg)
      default: continue
      }
    }
    return nil
  }

  /// Three LOAS frames in a row: 11 bits 0x2B7, then the number of following bytes in 13 bits (ISO 14496-3, 1.7.2).
  private static func isLoas(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
    var place = offset
    for _ in 0..<3 {
      guard place + 3 <= bytes.count, bytes[place] == 0x56, bytes[place + 1] & 0xE0 == 0xE0 else { return false }
      let length = Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2])
      guard length > 1 else { return false }
      place += 3 + length
    }
    return true
  }

  private static func isTransport(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
    guard offset < 188, offset + 7 * 188 < bytes.count else { return false }
    return (0..<8).allSatisfy { bytes[offset + $0 * 188] == 0x47 }
  }

  /// The header of a page: "OggS", version 0, three flag bits (RFC 3533, section 6).
  private static func isOggPage(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
    bytes.matches("OggS", at: offset) && offset + 6 <= bytes.count && bytes[offset + 4] == 0 && bytes[offset + 5] < 8
  }
}

extension Span<UInt8> {
  fileprivate func matches(_ magic: [UInt8]) -> Bool {
    magic.count <= count && magic.indices.allSatisfy { self[$0] == magic[$0] }
  }
}
