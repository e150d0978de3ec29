/// Chooses the first programme with supported audio in the PAT (ISO 13818-1, 2.4.4.3). After its first audio, it stays
/// chosen while it has supported audio. Reads one PAT section, up to `maxPrograms`. Allocates only in `init`.
struct ProgramTable {
  static var maxPrograms: Int { 16 }

  private struct Program {
    var number: UInt16 = 0
    var pid: UInt16 = 0
    var map: ProgramMap?
    var sections = SectionReader()

    mutating func begin(_ number: UInt16, _ pid: UInt16) {
      (self.number, self.pid, map) = (number, pid, nil)
      sections.reset()
    }
  }

  private var association = SectionReader()
  private var programs = [Program](repeating: Program(), count: Self.maxPrograms)
  /// Number of programmes in the current PAT: the first elements of `programs`.
  private var count = 0
  private var chosenNumber: UInt16?
  private var isSettled = false

  var chosen: ProgramMap? {
    for index in 0..<count where programs[index].number == chosenNumber { return programs[index].map }
    return nil
  }

  /// Reason why no programme is playable; nil if a programme is chosen or a map is missing.
  var refusal: RefusedCodec? {
    guard chosenNumber == nil else { return nil }
    var first: RefusedCodec?
    for index in 0..<count {
      guard let map = programs[index].map else { return nil }
      first = first ?? map.refusal
    }
    return first
  }

  mutating func confirmChoice() { isSettled = true }

  /// Drops incomplete sections. Earlier maps stay until new sections replace them.
  mutating func reset() {
    association.reset()
    for index in programs.indices { programs[index].sections.reset() }
  }

  /// Processes a packet of any PID. Returns true if the choice may have changed.
  mutating func process(_ packet: TransportPacket, _ payload: Span<UInt8>) -> Bool {
    var hasNews = false
    if packet.pid == 0 {
      hasNews = Self.readAssociation(packet, payload, &association, into: &programs, &count)
    } else {
      for index in 0..<count where programs[index].pid == packet.pid {
        var map: ProgramMap?
        let number = programs[index].number
        programs[index].sections.process(packet, payload) { section in
          if let new = ProgramMap(section), new.number == number { map = new }
        }
        guard let map, map != programs[index].map else { continue }
        programs[index].map = map
        hasNews = true
      }
    }
    if hasNews { choose() }
    return hasNews
  }

  private mutating func choose() {
    if isSettled, chosen?.audioStream != nil { return }
    isSettled = false
    chosenNumber = nil
    for index in 0..<count where programs[index].map?.audioStream != nil {
      chosenNumber = programs[index].number
      return
    }
  }

  private static func readAssociation(
    _ packet: TransportPacket, _ payload: Span<UInt8>, _ sections: inout SectionReader,
    into programs: inout [Program], _ count: inout Int
  ) -> Bool {
    var isRead = false
    sections.process(packet, payload) { section in
      guard section[0] == 0, section[6] == 0 else { return }
      isRead = true
      replace(&programs, &count, with: section)
    }
    return isRead
  }

  /// Arranges the programmes as in the PAT. Known programmes retain their maps.
  private static func replace(_ programs: inout [Program], _ count: inout Int, with section: Span<UInt8>) {
    var place = SectionReader.headByteCount
    var new = 0
    while place + 4 <= section.count - SectionReader.crcByteCount, new < maxPrograms {
      let number = UInt16(section[place]) << 8 | UInt16(section[place + 1])
      let pid = UInt16(section[place + 2] & 0x1F) << 8 | UInt16(section[place + 3])
      place += 4
      // Number 0 is the network information table.
      let isKnown = (0..<new).contains { programs[$0].number == number }
      guard number != 0, TransportPacket.ownPIDs.contains(pid), !isKnown else { continue }
      if let old = (new..<max(new, count)).first(where: { programs[$0].number == number && programs[$0].pid == pid }) {
        programs.swapAt(new, old)
      } else {
        // Retain the displaced programme while there is room: it may follow later in the section.
        if new < count, count < maxPrograms {
          programs.swapAt(new, count)
          count += 1
        }
        programs[new].begin(number, pid)
      }
      new += 1
    }
    count = new
  }
}
