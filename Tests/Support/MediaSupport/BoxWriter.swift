/// Writes the boxes of ISO 14496-12.
public enum BoxWriter {
  /// Returns a big-endian number.
  public static func number(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (byteCount - 1 - $0))) }
  }

  /// Returns big-endian 32-bit numbers.
  public static func u32(_ values: UInt32...) -> [UInt8] { values.flatMap { number(UInt64($0), 4) } }

  /// The form of a box's size field.
  public enum Size { case short, long, toTheEnd }

  /// Returns a box.
  public static func make(_ type: String, _ content: [UInt8]..., size: Size = .short) -> [UInt8] {
    let content = content.flatMap { $0 }
    let name = Array(type.unicodeScalars.map { UInt8($0.value) })
    return switch size {
    case .short: u32(UInt32(content.count + 8)) + name + content
    case .long: u32(1) + name + number(UInt64(content.count + 16), 8) + content
    case .toTheEnd: u32(0) + name + content
    }
  }

  /// Returns a box with version and flags.
  public static func full(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ content: [UInt8]...) -> [UInt8] {
    make(type, u32(UInt32(version) << 24 | flags), content.flatMap { $0 })
  }

  /// Returns a descriptor with a length field of `lengthByteCount` bytes (ISO 14496-1, 8.3.3).
  public static func descriptor(_ tag: UInt8, _ content: [UInt8], lengthByteCount: Int = 1) -> [UInt8] {
    let length = (0..<lengthByteCount).map { index -> UInt8 in
      let left = lengthByteCount - 1 - index
      let digits = UInt8(content.count >> (7 * left) & 0x7F)
      return left > 0 ? digits | 0x80 : digits
    }
    return [tag] + length + content
  }

  /// Returns an `esds`. `flags`: the flags of the ES_Descriptor and their fields.
  public static func esds(
    objectType: UInt8 = 0x40, config: [UInt8]? = [0x12, 0x10], lengthByteCount: Int = 1, flags: [UInt8] = [0]
  ) -> [UInt8] {
    let specific = config.map { descriptor(5, $0, lengthByteCount: lengthByteCount) } ?? []
    let decoder = [objectType, 0x15] + [UInt8](repeating: 0, count: 11) + specific
    let sync = descriptor(6, [2], lengthByteCount: lengthByteCount)
    let stream = [0, 1] + flags + descriptor(4, decoder, lengthByteCount: lengthByteCount) + sync
    return full("esds", descriptor(3, stream, lengthByteCount: lengthByteCount))
  }

  /// Returns an audio sample entry with these boxes.
  public static func entry(_ boxes: [UInt8], type: String = "mp4a", version: UInt16 = 0, added: Int = 0) -> [UInt8] {
    let head = [0, 0, 0, 0, 0, 0, 0, 1] + number(UInt64(version), 2) + [UInt8](repeating: 0, count: 6)
    return make(type, head, [0, 2, 0, 16, 0, 0, 0, 0, 0xAC, 0x44, 0, 0], [UInt8](repeating: 0, count: added), boxes)
  }
}
