/// The audio and timed tags of a programme in its PMT (ISO 13818-1, 2.4.4.8).
struct ProgramMap: Hashable {
  enum Form: BitwiseCopyable {
    case frames
    case latm
  }

  struct AudioStream: Hashable, BitwiseCopyable {
    let pid: UInt16
    let form: Form
  }

  let number: UInt16
  private(set) var audioStream: AudioStream?
  /// PID of timed ID3 tags: the stream with an "ID3 " descriptor, else the first metadata stream.
  private(set) var tagPID: UInt16?
  private(set) var refusal: RefusedCodec?

  init?(_ section: Span<UInt8>) {
    let end = section.count - SectionReader.crcByteCount
    guard end >= 12, section[0] == 2 else { return nil }
    number = UInt16(section[3]) << 8 | UInt16(section[4])
    var place = 12 + Self.length(section, at: 10)
    var isTagNamed = false
    while place < end {
      guard place + 5 <= end else { return nil }
      let type = section[place]
      let pid = UInt16(section[place + 1] & 0x1F) << 8 | UInt16(section[place + 2])
      let start = place + 5
      place = start + Self.length(section, at: place + 3)
      guard place <= end else { return nil }
      guard TransportPacket.ownPIDs.contains(pid) else { continue }
      let descriptors = section.extracting(start..<place)
      switch type {
      case 0x03, 0x04, 0x0F: audioStream = audioStream ?? AudioStream(pid: pid, form: .frames)
      case 0x11: audioStream = audioStream ?? AudioStream(pid: pid, form: .latm)
      case 0x15:
        let isNamed = descriptors.contains("ID3 ")
        if tagPID == nil || isNamed && !isTagNamed { (tagPID, isTagNamed) = (pid, isNamed) }
      default: refusal = refusal ?? Self.refusal(type, descriptors)
      }
    }
    guard place == end else { return nil }
  }

  private static func length(_ section: Span<UInt8>, at place: Int) -> Int {
    Int(section[place] & 0x0F) << 8 | Int(section[place + 1])
  }

  private static func refusal(_ type: UInt8, _ descriptors: Span<UInt8>) -> RefusedCodec? {
    switch type {
    case 0x06: privateAudio(descriptors)
    // SAMPLE-AES: AAC, AC-3 and E-AC-3.
    case 0xC1, 0xC2, 0xCF: .encrypted
    case 0x81: .ac3
    case 0x87: .eac3
    // AAC without a transport syntax; MPEG-H.
    case 0x1C, 0x2D, 0x2E: .other
    default: nil
    }
  }

  /// Returns the audio codec named in descriptors of private data (ETSI EN 300 468).
  private static func privateAudio(_ descriptors: Span<UInt8>) -> RefusedCodec? {
    var place = 0
    while place + 2 <= descriptors.count {
      let body = place + 2
      let end = body + Int(descriptors[place + 1])
      guard end <= descriptors.count else { return nil }
      switch descriptors[place] {
      case 0x05:
        if descriptors.matches("Opus", at: body) { return .opus }
        if descriptors.matches("AC-3", at: body) { return .ac3 }
        if descriptors.matches("EAC3", at: body) { return .eac3 }
      case 0x6A: return .ac3
      case 0x7A: return .eac3
      // DTS.
      case 0x7B: return .other
      default: break
      }
      place = end
    }
    return nil
  }
}

extension Span<UInt8> {
  fileprivate func contains(_ text: String) -> Bool { indices.contains { matches(text, at: $0) } }
}
