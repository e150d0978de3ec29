/// The Xing header in a file's first packet: a Layer III frame without audio that describes all following packets. The
/// name is "Xing" for variable and "Info" for constant bit rate. LAME often adds its delay and padding.
public struct XingHeader: Equatable, Sendable {
  /// Number of packets that follow; nil if absent.
  public let packetCount: Int?
  /// Bytes from the start of this packet to the end of the last packet; nil if absent.
  public let byteCount: Int?
  /// Position at each percent of the duration, in 256ths of `byteCount`: 100 values that never fall; empty if absent.
  public let table: [UInt8]
  let isConstant: Bool
  /// Samples that the encoder added before and after the audio, 0 … 4,095 each; nil if absent.
  public let silence: Silence?

  /// Samples added by an encoder.
  public struct Silence: Equatable, Sendable {
    /// Samples before the audio, without the delay of a decoder.
    public let delay: Int
    /// Samples after the audio.
    public let padding: Int
  }

  /// Parses the header in a packet. Returns nil if absent.
  public init?(_ packet: Span<UInt8>) {
    guard let place = Self.place(in: packet) else { return nil }
    isConstant = packet.matches("Info", at: place)
    var field = place + 4
    let flags = packet.number(4, at: &field) ?? 0
    packetCount = flags & 1 != 0 ? packet.number(4, at: &field) : nil
    byteCount = flags & 2 != 0 ? packet.number(4, at: &field) : nil
    var table: [UInt8] = []
    if flags & 4 != 0 {
      for _ in 0..<100 { if let entry = packet.number(1, at: &field) { table.append(UInt8(entry)) } }
    }
    let isTable = table.count == 100 && zip(table, table.dropFirst()).allSatisfy { $0 <= $1 }
    self.table = isTable ? table : []
    if flags & 8 != 0 { _ = packet.number(4, at: &field) }
    silence = Self.silence(packet, at: field)
  }

  /// True if `packet` has a Xing or VBRI header and no audio.
  public static func isPresent(in packet: Span<UInt8>) -> Bool {
    place(in: packet) != nil || VbriHeader.isPresent(in: packet)
  }

  /// Returns the offset after the side information. If there is a CRC, only some encoders count its two bytes.
  private static func place(in packet: Span<UInt8>) -> Int? {
    guard let header = MpegHeader(packet), header.layer == .three else { return nil }
    let sideInformation = MainData.sideInformationByteCount(
      isMpeg1: header.version == .mpeg1, isMono: header.channels == 1)
    let place = MpegHeader.byteCount + sideInformation
    for offset in header.hasCRC ? [place, place + 2] : [place] {
      if packet.matches("Xing", at: offset) || packet.matches("Info", at: offset) { return offset }
    }
    return nil
  }

  /// Reads LAME's extension, also written by libavformat: nine letters, twelve bytes, then two numbers of twelve bits.
  private static func silence(_ packet: Span<UInt8>, at place: Int) -> Silence? {
    guard packet.matches("LAME", at: place) || packet.matches("Lavf", at: place) || packet.matches("Lavc", at: place)
    else { return nil }
    var field = place + 21
    guard let both = packet.number(3, at: &field) else { return nil }
    return Silence(delay: both >> 12, padding: both & 0xFFF)
  }
}
