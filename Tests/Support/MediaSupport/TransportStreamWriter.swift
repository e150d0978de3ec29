/// Writes the packets of a transport stream.
public struct TransportStreamWriter {
  /// An elementary stream in a programme map.
  public struct Entry: Sendable {
    /// The stream type (ISO 13818-1, table 2-34).
    public var type: UInt8
    /// The PID of the stream's packets.
    public var pid: UInt16
    /// The descriptors in the map.
    public var descriptors: [UInt8]

    /// Creates an entry.
    public init(type: UInt8, pid: UInt16, descriptors: [UInt8] = []) {
      (self.type, self.pid, self.descriptors) = (type, pid, descriptors)
    }
  }

  /// The header of a PES packet.
  public struct PesHeader: Sendable {
    /// The stream id.
    public var id: UInt8 = 0xC0
    /// The presentation time in units of 1/90,000 s; nil for none.
    public var time: UInt64?
    /// True if the header contains the length.
    public var isBounded = true
    /// True if an access unit starts with the packet.
    public var isAligned = true
    /// True if the packet is marked as scrambled.
    public var isScrambled = false
    /// Number of stuffing bytes in the header.
    public var stuffing = 0

    /// Creates a header.
    public init(
      id: UInt8 = 0xC0, time: UInt64? = nil, isBounded: Bool = true, isAligned: Bool = true, isScrambled: Bool = false,
      stuffing: Int = 0
    ) {
      (self.id, self.time, self.isBounded, self.isAligned) = (id, time, isBounded, isAligned)
      (self.isScrambled, self.stuffing) = (isScrambled, stuffing)
    }
  }

  /// The finished packets.
  public private(set) var bytes: [UInt8] = []
  /// The next continuity counter of each PID.
  public var counters: [UInt16: UInt8] = [:]
  /// Returns the maximum payload of the next packet, 1 to 184 bytes.
  public var nextPayloadSize: () -> Int = { 184 }

  /// Creates an empty stream.
  public init() {}

  /// The PID of the programme map.
  public static let mapPID: UInt16 = 0x1000
  /// The PID of the audio.
  public static let soundPID: UInt16 = 0x100
  /// The PID of the timed metadata.
  public static let tagPID: UInt16 = 0x102

  /// Writes a transport packet. An adaptation field fills the unused space.
  public mutating func packet(
    _ pid: UInt16, _ payload: ArraySlice<UInt8>, isStart: Bool = false, isScrambled: Bool = false,
    isDiscontinuous: Bool = false
  ) {
    let counter = counters[pid, default: 0]
    let room = 184 - payload.count
    let hasPayload = !payload.isEmpty
    if hasPayload { counters[pid] = (counter + 1) & 15 }
    let shown = hasPayload ? counter : (counter + 15) & 15
    bytes += [0x47, (isStart ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF)]
    bytes.append((isScrambled ? 0xC0 : 0) | (room > 0 ? 0x20 : 0) | (hasPayload ? 0x10 : 0) | shown)
    if room > 0 { bytes.append(UInt8(room - 1)) }
    if room > 1 { bytes.append(isDiscontinuous ? 0x80 : 0) }
    if room > 2 { bytes += [UInt8](repeating: 0xFF, count: room - 2) }
    bytes += payload
  }

  /// Writes bytes that are not a packet.
  public mutating func junk(_ junk: [UInt8]) { bytes += junk }

  /// Writes a unit as several packets. `nextPayloadSize` determines the size of each payload.
  public mutating func unit(_ pid: UInt16, _ unit: [UInt8], isScrambled: Bool = false) {
    var rest = unit[...]
    while !rest.isEmpty {
      let piece = rest.prefix(max(1, min(184, nextPayloadSize())))
      packet(pid, piece, isStart: rest.count == unit.count, isScrambled: isScrambled)
      rest = rest.dropFirst(piece.count)
    }
  }

  /// Writes a PES packet with a PID.
  public mutating func pes(_ pid: UInt16, _ body: [UInt8], _ form: PesHeader = PesHeader()) {
    unit(pid, Self.pes(body, form))
  }

  /// Writes an audio PES packet.
  public mutating func pes(_ body: [UInt8], _ form: PesHeader = PesHeader()) { pes(Self.soundPID, body, form) }

  /// Writes sections after a pointer field and the tail of an earlier section; filler bytes follow.
  public mutating func sections(_ pid: UInt16, _ sections: [[UInt8]], tail: [UInt8] = [], filler: Int = 3) {
    unit(pid, [UInt8(tail.count)] + tail + Array(sections.joined()) + [UInt8](repeating: 0xFF, count: filler))
  }

  /// Writes a PAT with one programme, and its PMT.
  public mutating func tables(_ entries: [Entry], version: UInt8 = 0) {
    sections(0, [Self.association([(1, Self.mapPID)])])
    sections(Self.mapPID, [Self.map(1, entries, version: version)])
  }

  /// Returns a PES packet.
  public static func pes(_ body: [UInt8], _ form: PesHeader = PesHeader()) -> [UInt8] {
    var fields: [UInt8] = []
    if let time = form.time {
      fields = [
        0x21 | UInt8(time >> 30 & 7) << 1, UInt8(time >> 22 & 0xFF), UInt8(time >> 15 & 0x7F) << 1 | 1,
        UInt8(time >> 7 & 0xFF), UInt8(time & 0x7F) << 1 | 1,
      ]
    }
    fields += [UInt8](repeating: 0xFF, count: form.stuffing)
    let told = form.isBounded ? body.count + fields.count + 3 : 0
    let flags: [UInt8] = [
      0x80 | (form.isScrambled ? 0x10 : 0) | (form.isAligned ? 0x04 : 0), form.time == nil ? 0 : 0x80,
    ]
    return [0, 0, 1, form.id, UInt8(told >> 8), UInt8(told & 0xFF)] + flags + [UInt8(fields.count)] + fields + body
  }

  /// Returns a PAT section.
  public static func association(_ programs: [(number: UInt16, pid: UInt16)], version: UInt8 = 0) -> [UInt8] {
    section(
      0, 1, programs.flatMap { $0.number.bytes + ($0.pid | 0xE000).bytes }, version: version)
  }

  /// Returns a PMT section.
  public static func map(
    _ number: UInt16, _ entries: [Entry], version: UInt8 = 0, isCurrent: Bool = true, about: [UInt8] = []
  ) -> [UInt8] {
    var body = UInt16(0xFFFF).bytes + UInt16(0xF000 | about.count).bytes
    body += about
    for entry in entries {
      body.append(entry.type)
      body += (entry.pid | 0xE000).bytes
      body += UInt16(0xF000 | entry.descriptors.count).bytes
      body += entry.descriptors
    }
    return section(2, number, body, version: version, isCurrent: isCurrent)
  }

  /// Returns a section with its checksum.
  public static func section(
    _ table: UInt8, _ number: UInt16, _ body: [UInt8], version: UInt8 = 0, isCurrent: Bool = true
  ) -> [UInt8] {
    let length = UInt16(body.count + 9)
    let state: UInt8 = 0xC0 | version << 1 | (isCurrent ? 1 : 0)
    var section: [UInt8] = [table]
    section += (0xB000 | length).bytes
    section += number.bytes
    section += [state, 0, 0]
    section += body
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in section {
      for bit in (0..<8).reversed() {
        let isSet = (sum >> 31 ^ UInt32(byte >> bit & 1)) == 1
        sum = sum << 1 ^ (isSet ? 0x04C1_1DB7 : 0)
      }
    }
    return section + UInt16(sum >> 16).bytes + UInt16(sum & 0xFFFF).bytes
  }
}

extension UInt16 {
  fileprivate var bytes: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xFF)] }
}
