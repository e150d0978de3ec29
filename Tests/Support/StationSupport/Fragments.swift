/// MP4 fragments with AAC, as in segments of HLS stations (ISO 14496-12).
public enum Fragments {
  /// Returns the initialization segment for an ADTS stream (EXT-X-MAP): `ftyp` and `moov`.
  public static func map(of sound: [UInt8]) -> [UInt8] {
    let (profile, rate) = (sound[2] >> 6, sound[2] >> 2 & 15)
    let channels = (sound[2] & 1) << 2 | sound[3] >> 6
    let config = [(profile + 1) << 3 | rate >> 1, (rate & 1) << 7 | channels << 3]
    let decoder = descriptor(4, [0x40, 0x15] + zeros(11) + descriptor(5, config))
    let esds = box("esds", zeros(4) + descriptor(3, [0, 1, 0] + decoder + descriptor(6, [2])))
    let format = [0, 0, 0, 0, 0, 0, 0, 1] + zeros(8) + [0, 2, 0, 16, 0, 0, 0, 0, 0xAC, 0x44, 0, 0]
    let table = box("stsd", number(0) + number(1) + box("mp4a", format + esds))
    let empty = ["stts", "stsc", "stco"].flatMap { box($0, zeros(8)) } + box("stsz", zeros(12))
    let media = box("mdhd", zeros(12) + number(44_100) + zeros(4) + [0x55, 0xC4, 0, 0])
    let handler = box("hdlr", zeros(8) + Array("soun".utf8) + zeros(13))
    let track = box("tkhd", number(7) + zeros(8) + number(1) + zeros(68))
    let inner = media + handler + box("minf", box("smhd", zeros(8)) + box("stbl", table + empty))
    let defaults = box("mvex", box("trex", zeros(4) + number(1) + number(1) + number(1_024) + zeros(8)))
    return box("ftyp", Array("iso6".utf8) + zeros(4) + Array("cmfc".utf8))
      + box("moov", box("mvhd", zeros(100)) + box("trak", track + box("mdia", inner)) + defaults)
  }

  /// Returns a segment with whole ADTS packets.
  public static func segment(_ sound: [UInt8]) -> [UInt8] {
    let units = Clip(sound).packets.map { $0.bytes.dropFirst($0.bytes[1] & 1 == 0 ? 9 : 7) }
    func head(_ offset: Int) -> [UInt8] {
      let run = number(0x201) + number(units.count) + number(offset) + units.flatMap { number($0.count) }
      let track = box("tfhd", number(0x2_0000) + number(1)) + box("tfdt", zeros(8)) + box("trun", run)
      return box("moof", box("mfhd", zeros(4) + number(1)) + box("traf", track))
    }
    return head(head(0).count + 8) + box("mdat", units.flatMap { $0 })
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8) + Array(type.utf8) + content
  }

  private static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * (3 - $0))) }
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
