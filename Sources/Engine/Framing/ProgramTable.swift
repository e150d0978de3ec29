/// Follows the PAT (ISO 13818-1 2.4.4.3) and the PMTs that it names, and chooses the programme that is played.
///
/// The first programme with sound that we play is chosen; once its sound was heard, it stays chosen while it has any.
/// The PAT's first section counts, with at most `mostPrograms`. Memory is reserved once, at `init`.
struct ProgramTable {
  /// The most programmes that are followed.
  static var mostPrograms: Int { 16 }

  /// A programme, and what came of its map.
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
  private var programs = [Program](repeating: Program(), count: Self.mostPrograms)
  /// Programmes that the PAT names now: the first ones of `programs`.
  private var count = 0
  private var chosenNumber: UInt16?
  /// The chosen programme was heard.
  private var isSettled = false

  /// The chosen programme's map; nil where none has sound that we play.
  var chosen: ProgramMap? {
    for index in 0..<count where programs[index].number == chosenNumber { return programs[index].map }
    return nil
  }

  /// Why no programme is played; nil while one is, or a map has not come.
  var refusal: RefusedCodec? {
    guard chosenNumber == nil else { return nil }
    var first: RefusedCodec?
    for index in 0..<count {
      guard let map = programs[index].map else { return nil }
      first = first ?? map.refusal
    }
    return first
  }

  /// Says that the chosen programme was heard.
  mutating func settle() { isSettled = true }

  /// Forgets sections that are cut off; what the last ones said stays until others come.
  mutating func reset() {
    association.reset()
    for index in programs.indices { programs[index].sections.reset() }
  }

  /// Takes any packet; true where what it says may change the choice.
  mutating func take(_ packet: TransportPacket, _ payload: Span<UInt8>) -> Bool {
    var hasNews = false
    if packet.pid == 0 {
      hasNews = Self.readAssociation(packet, payload, &association, into: &programs, &count)
    } else {
      for index in 0..<count where programs[index].pid == packet.pid {
        var map: ProgramMap?
        let number = programs[index].number
        programs[index].sections.take(packet, payload) { section in
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
    if isSettled, chosen?.sound != nil { return }
    isSettled = false
    chosenNumber = nil
    for index in 0..<count where programs[index].map?.sound != nil {
      chosenNumber = programs[index].number
      return
    }
  }

  private static func readAssociation(
    _ packet: TransportPacket, _ payload: Span<UInt8>, _ sections: inout SectionReader,
    into programs: inout [Program], _ count: inout Int
  ) -> Bool {
    var isRead = false
    sections.take(packet, payload) { section in
      guard section[0] == 0, section[6] == 0 else { return }
      isRead = true
      replace(&programs, &count, with: section)
    }
    return isRead
  }

  /// Puts the programmes into the order of the PAT; one that stays keeps its map.
  private static func replace(_ programs: inout [Program], _ count: inout Int, with section: Span<UInt8>) {
    var place = SectionReader.headByteCount
    var new = 0
    while place + 4 <= section.count - SectionReader.crcByteCount, new < mostPrograms {
      let number = UInt16(section[place]) << 8 | UInt16(section[place + 1])
      let pid = UInt16(section[place + 2] & 0x1F) << 8 | UInt16(section[place + 3])
      place += 4
      // Number 0 is not a programme but the network's own table.
      let isKnown = (0..<new).contains { programs[$0].number == number }
      guard number != 0, TransportPacket.ownPIDs.contains(pid), !isKnown else { continue }
      if let old = (new..<max(new, count)).first(where: { programs[$0].number == number && programs[$0].pid == pid }) {
        programs.swapAt(new, old)
      } else {
        // One that may come later in the section is kept, while there is room.
        if new < count, count < mostPrograms {
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
