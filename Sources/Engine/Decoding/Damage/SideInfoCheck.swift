/// Rejects Layer III side information that an encoder cannot write. libmad rejects such packets itself; libmpg123
/// decodes them anyway.
enum SideInfoCheck {
  static func isPossible(_ packet: UnsafePointer<UInt8>, byteCount: Int, _ header: Layer3Header) -> Bool {
    var side = BitReader(packet, byteCount: byteCount, at: header.hasCRC ? 48 : 32)
    let channels = header.isMono ? 1 : 2
    var kept = (0, 0)
    if header.isMpeg1 {
      side.place += 9 + (header.isMono ? 5 : 3)
      kept = (side.read(4), header.isMono ? 0 : side.read(4))
    } else {
      side.place += 8 + channels
    }
    let rate = header.isMpeg1 ? Int(packet[2] >> 2 & 3) : nil
    for _ in 0..<(header.isMpeg1 ? 2 : 1) {
      let first = Granule(&side, isMpeg1: header.isMpeg1)
      guard first.isPossible(keeps: kept.0, rate) else { return false }
      guard !header.isMono else { continue }
      let second = Granule(&side, isMpeg1: header.isMpeg1)
      // Joint stereo requires the same block types in both channels.
      guard second.isPossible(keeps: kept.1, rate), header.jointModes == 0 || first.hasBlocks(of: second) else {
        return false
      }
    }
    return true
  }
}
