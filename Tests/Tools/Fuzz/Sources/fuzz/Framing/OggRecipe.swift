/// Ogg pages by a recipe, most with a valid checksum.
struct OggRecipe {
  private(set) var bytes: [UInt8] = []
  private let isLong: Bool
  private var sequences: [UInt32] = [0, 0, 0]
  private var granules: [Int64] = [0, 0, 0]

  init(_ recipe: inout Recipe) {
    // Rarely more bytes than a reader's initial buffer: long inputs and false pages are slow.
    let choice = recipe.byte()
    isLong = choice == 0xFF
    let longest = isLong ? 40_000 : choice > 0xF0 ? 4_000 : 1_000
    while !recipe.isOver, bytes.count < longest { add(&recipe) }
  }

  private mutating func add(_ recipe: inout Recipe) {
    let choice = recipe.byte()
    guard choice < 240 else {
      return bytes += choice < 250 || !isLong ? recipe.take(recipe.number(0...60)) : Self.falsePages(&recipe)
    }
    let serial = Int(choice & 1) + (choice & 32 == 0 ? 0 : 1)
    let flags = recipe.pick([0, 0, 0, 0, 1, 2, 4, 5, 6] as [UInt8])
    let packets = (0..<recipe.number(1...5)).map { _ in packet(&recipe) }
    var lacing: [UInt8] = []
    for packet in packets {
      lacing += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    }
    // The last packet continues in the next page.
    if choice & 64 != 0, lacing.count > 1 { lacing.removeLast() }
    lacing = Array(lacing.prefix(255))
    let body = packets.flatMap { $0 }.prefix(lacing.reduce(0) { $0 + Int($1) })
    switch recipe.byte() {
    case 0..<200: granules[serial] &+= Int64(recipe.number(0...70_000))
    case 200..<220: granules[serial] = recipe.int64()
    case 220..<240: granules[serial] = -1
    default: sequences[serial] &+= UInt32(recipe.byte())
    }
    var page = Self.page(UInt32(serial), sequences[serial], flags, granules[serial], lacing, Array(body))
    if choice & 16 != 0, choice & 8 != 0 { page[22] ^= 1 }
    bytes += page
    sequences[serial] &+= 1
  }

  /// Creates overlapping page headers with wrong checksums.
  private static func falsePages(_ recipe: inout Recipe) -> [UInt8] {
    let filling = [UInt8](repeating: recipe.byte(), count: recipe.number(0...40))
    let head = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [0xFF] + filling
    return (0..<recipe.number(1...60)).flatMap { _ in head }
  }

  private func packet(_ recipe: inout Recipe) -> [UInt8] {
    switch recipe.byte() % 12 {
    case 0: Self.changed(Self.vorbisHead, &recipe)
    case 1: [3] + Array("vorbis".utf8) + CommentRecipe(&recipe).bytes + [1]
    case 2: Self.changed(Self.vorbisSetup, &recipe)
    case 3: Self.changed(Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0], &recipe)
    case 4: Array("OpusTags".utf8) + CommentRecipe(&recipe).bytes
    case 5: Self.changed([0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + FlacRecipe.head, &recipe)
    case 6: [0x84, 0, 0, 0] + CommentRecipe(&recipe).bytes
    case 7: FlacRecipe.frame(number: recipe.number(0...127), &recipe)
    case 8: [0xFC, UInt8(recipe.number(0...255))]
    case 9:
      [UInt8](repeating: recipe.byte(), count: recipe.number(0...255) * recipe.pick([1, 1, 1, 3, isLong ? 200 : 5]))
    default: recipe.take(recipe.number(0...40))
    }
  }

  /// Changes at most one byte of a header.
  private static func changed(_ header: [UInt8], _ recipe: inout Recipe) -> [UInt8] {
    var header = header
    if recipe.byte() > 160 { header[recipe.number(0...header.count - 1)] = recipe.byte() }
    return header
  }

  private static let vorbisHead: [UInt8] =
    [1] + Array("vorbis".utf8) + [0, 0, 0, 0, 2, 0x44, 0xAC, 0, 0] + [UInt8](repeating: 0, count: 12) + [0xB8, 1]

  /// One codebook with eight entries, one floor, residue and mapping, and two modes.
  private static let vorbisSetup: [UInt8] = {
    var (bytes, place) = ([5] + Array("vorbis".utf8), 56)
    let fields = [
      (0, 8), (0x56_4342, 24), (1, 16), (8, 24), (1, 1), (2, 5), (8, 4), (0, 4), (0, 6), (0, 16), (0, 6), (1, 16),
      (0, 5), (0, 2), (0, 4), (0, 6), (0, 16), (0, 24), (0, 24), (0, 24), (0, 6), (0, 8), (0, 4), (0, 6), (0, 16),
      (0, 4), (0, 24), (1, 6), (0, 1), (0, 32), (0, 8), (1, 1), (0, 32), (0, 8), (1, 1),
    ]
    for (value, count) in fields {
      for bit in 0..<count {
        if place % 8 == 0 { bytes.append(0) }
        bytes[place / 8] |= UInt8(value >> bit & 1) << UInt8(place % 8)
        place += 1
      }
    }
    return bytes
  }()

  /// The start of a Vorbis stream with silent packets.
  static var vorbis: [UInt8] {
    let comments = [3] + Array("vorbis".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]
    let pages: [[[UInt8]]] = [[vorbisHead], [comments, vorbisSetup], [[0, 1], [2, 1], [2]], [[0], [2]]]
    return pages.enumerated().flatMap { number, packets in
      page(
        1, UInt32(number), number == 0 ? 2 : number == 3 ? 4 : 0, number < 2 ? 0 : Int64(number) * 1_000,
        packets.map { UInt8($0.count) }, packets.flatMap { $0 })
    }
  }

  /// Creates a page with its checksum (RFC 3533, 6).
  static func page(
    _ serial: UInt32, _ sequence: UInt32, _ flags: UInt8, _ granule: Int64, _ lacing: [UInt8], _ body: [UInt8]
  ) -> [UInt8] {
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
    var page = Array("OggS".utf8) + [0, flags] + little(UInt64(bitPattern: granule), 8)
    page += little(UInt64(serial), 4) + little(UInt64(sequence), 4) + [0, 0, 0, 0, UInt8(lacing.count)] + lacing + body
    seal(&page, page.indices)
    return page
  }

  /// Corrects the checksums of all pages.
  static func mended(_ bytes: [UInt8]) -> [UInt8] {
    var (bytes, place) = (bytes, 0)
    while place + 27 <= bytes.count {
      let body = place + 27 + Int(bytes[place + 26])
      guard bytes[place..<place + 4].elementsEqual("OggS".utf8), body <= bytes.count else {
        place += 1
        continue
      }
      let end = bytes[place + 27..<body].reduce(body) { $0 + Int($1) }
      if end <= bytes.count { seal(&bytes, place..<end) }
      place = min(end, bytes.count)
    }
    return bytes
  }

  private static func seal(_ bytes: inout [UInt8], _ page: Range<Int>) {
    for index in 22..<26 { bytes[page.lowerBound + index] = 0 }
    var sum: UInt32 = 0
    table.withUnsafeBufferPointer { table in
      for index in page { sum = sum << 8 ^ table[Int(sum >> 24 ^ UInt32(bytes[index]))] }
    }
    for index in 0..<4 { bytes[page.lowerBound + 22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum >> 31 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
  }
}
