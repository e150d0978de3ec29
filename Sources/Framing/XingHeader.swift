/// The first packet of many files: a Layer III frame that holds no sound, but figures of all that follow.
public enum XingHeader {
  /// Whether `packet` is one: "Xing" or "Info" after the side information, or Fraunhofer's "VBRI".
  public static func isPresent(in packet: Span<UInt8>) -> Bool {
    guard let header = MpegHeader(packet), header.layer == .three else { return false }
    let isMono = header.channels == 1
    let sideInfo = header.version == .mpeg1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    let place = MpegHeader.byteCount + sideInfo
    return packet.holds("Xing", at: place) || packet.holds("Info", at: place) || packet.holds("VBRI", at: 36)
  }
}
