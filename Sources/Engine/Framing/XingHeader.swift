/// The first packet of many files: a Layer III frame that holds no sound, but figures of all that follow ("Xing" where
/// the bit rate varies, "Info" where it does not), and often what LAME tells of the silence around the sound.
public struct XingHeader: Equatable, Sendable {
  /// Packets that follow; nil where untold.
  public let packetCount: Int?
  /// Bytes from this packet's first to the last packet's last; nil where untold.
  public let byteCount: Int?
  /// For each hundredth of the time, where it lies in `byteCount`, in 256ths: 100 of them, never falling; empty where
  /// untold.
  public let table: [UInt8]
  /// Whether the bit rate is said to be constant ("Info").
  let isConstant: Bool
  /// Samples that the encoder put before the sound and behind it, 0 … 4,095 each; nil where untold.
  public let silence: Silence?

  /// What an encoder adds.
  public struct Silence: Equatable, Sendable {
    /// Before the sound, without what any decoder adds.
    public let delay: Int
    /// Behind it.
    public let padding: Int
  }

  /// The header in a packet; nil where it is none.
  public init?(_ packet: Span<UInt8>) {
    guard let place = Self.place(in: packet) else { return nil }
    isConstant = packet.holds("Info", at: place)
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

  /// Whether `packet` holds figures and no sound: this header, or Fraunhofer's.
  public static func isPresent(in packet: Span<UInt8>) -> Bool {
    place(in: packet) != nil || VbriHeader.isPresent(in: packet)
  }

  /// Behind the side information, with or without the two bytes of a CRC before it: writers differ.
  private static func place(in packet: Span<UInt8>) -> Int? {
    guard let header = MpegHeader(packet), header.layer == .three else { return nil }
    let sideInformation = MainData.sideInformationByteCount(
      isMpeg1: header.version == .mpeg1, isMono: header.channels == 1)
    let place = MpegHeader.byteCount + sideInformation
    for offset in header.hasCRC ? [place, place + 2] : [place] {
      if packet.holds("Xing", at: offset) || packet.holds("Info", at: offset) { return offset }
    }
    return nil
  }

  /// LAME's extension, which libavformat writes too: nine letters, twelve bytes, then twice twelve bits.
  private static func silence(_ packet: Span<UInt8>, at place: Int) -> Silence? {
    guard packet.holds("LAME", at: place) || packet.holds("Lavf", at: place) || packet.holds("Lavc", at: place)
    else { return nil }
    var field = place + 21
    guard let both = packet.number(3, at: &field) else { return nil }
    return Silence(delay: both >> 12, padding: both & 0xFFF)
  }
}
