import Panel
import SeededRandom
import Testing

/// The characters that the cells of a text stand for.
private func meaning(_ text: String, _ rom: CharacterRom) -> String {
  String(
    Typesetter(rom: rom).cells(text).map { cell in
      switch cell {
      case .rom(_, let character): character
      case .glyph(let glyph): glyph.character
      }
    })
}

struct TextTests {
  @Test(
    "The codes of both ROMs match the data sheet",
    arguments: [
      ("A", 0x41, 0x41), ("z", 0x7A, 0x7A), ("\\", nil, 0x5C), ("¥", 0x5C, 0xA5), ("~", nil, 0x7E), ("→", 0x7E, 0x1A),
      ("←", 0x7F, 0x1B), ("ä", 0xE1, 0xE4), ("ö", 0xEF, 0xF6), ("ü", 0xF5, 0xFC), ("ñ", 0xEE, 0xF1), ("ß", 0xE2, 0xDF),
      ("é", nil, 0xE9), ("Å", nil, 0xC5), ("°", 0xDF, 0xB0), ("█", 0xFF, nil), ("·", 0xA5, 0xB7), ("÷", 0xFD, 0xF7),
      ("ガ", nil, nil), ("カ", 0xB6, nil), ("ソ", 0xBF, nil), ("タ", 0xC0, nil), ("ン", 0xDD, nil), ("▶", nil, 0x10),
      ("♪", nil, 0x91), ("Б", nil, 0x80), ("Э", nil, 0x8F), ("π", 0xF7, 0x93), ("ÿ", nil, 0xFF), ("¿", nil, 0xBF),
      ("Θ", nil, nil),
      ("♥", nil, 0x9D), ("Я", nil, 0xAD), ("±", nil, 0xB1), ("ω", nil, 0xB8), ("√", 0xE8, nil), ("∞", 0xF3, 0x9C),
      ("▼", nil, 0x1F),
    ] as [(Character, UInt8?, UInt8?)])
  func codes(_ character: Character, _ a00: UInt8?, _ a02: UInt8?) {
    #expect(CharacterRom.a00.code(for: character) == a00)
    #expect(CharacterRom.a02.code(for: character) == a02)
  }

  @Test("ASCII text has the cells that its characters have one by one", arguments: CharacterRom.allCases)
  func ascii(_ rom: CharacterRom) {
    var random = SeededGenerator(50)
    let typesetter = Typesetter(rom: rom)
    for length in [0, 1, 2, 16, 20, 511, 512, 513] + (0..<300).map({ _ in Int.random(in: 0...60, using: &random) }) {
      let codes = (0..<length).map { _ in UInt8.random(in: length % 3 == 0 ? 0...0x7F : 0x20...0x7E, using: &random) }
      let text = String(decoding: codes, as: UTF8.self)
      // A bell has no cell, and its text is not printable ASCII.
      #expect(typesetter.cells(text) == typesetter.cells(text + "\u{7}"), "\(codes)")
    }
  }

  @Test(
    "Text uses the characters of either ROM (D6)",
    arguments: [
      ("Plain ASCII, 100%", "Plain ASCII, 100%", "Plain ASCII, 100%"),
      ("Motörhead – Größe", "Motörhead - Größe", "Motörhead - Größe"),
      ("Björk: Jóga", "Björk: Jóga", "Björk: Jóga"),
      ("e\u{301}te\u{301}", "été", "été"),
      ("“Quotes” ‘and’ so on…", "\"Quotes\" 'and' so on...", "“Quotes” 'and' so on..."),
      ("Łódź Đoko Ærø Œuvre", "Łódź Doko AErø OEuvre", "Łódź Đoko Ærø OEuvre"),
      ("Москва: Щука, Ёлка, дым", "Moskva: Shchuka, Elka, dym", "Moskva: Shchuka, Elka, dym"),
      ("Київ Љубав", "Kiyiv Ljubav", "Kiyiv Ljubav"),
      ("Ελλάδα Θεσσαλονίκη Ψυχή", "Ellada Thessaloniki Psychi", "Ellada Thessaloniki Psychi"),
      ("Nguyễn Thế Ơn", "Nguyen The On", "Nguyen The On"),
      ("C:\\a~b", "C:/a-b", "C:\\a~b"),
      ("ＡＢＣ１２３", "ABC123", "ABC123"),
      ("東京", "", ""),
      ("カラオケ", "ｶﾗｵｹ", ""),
      ("ガール らん", "ｶﾞｰﾙ ﾗﾝ", ""),
      ("مرحبا", "", ""),
      ("👩‍👩‍👧 🇩🇪 ❤️", "<3", "<3"),
      ("Rock🎸Roll 😀 live 🎉🎉", "Rock Roll live", "Rock Roll live"),
      ("東京 (Tokyo)", "(Tokyo)", "(Tokyo)"),
      ("「東京」 – 大阪!", "", ""),
      ("... ?", "... ?", "... ?"),
      ("5 ₿", "5", "5"),
      ("Kɔkɔ, Қазақ, ἀρχή", "K?k?, ?aza?, ?rchi", "K?k?, ?aza?, ?rchi"),
      ("a\u{202E}b\u{200B}c\u{7}d\u{AD}e\u{FEFF}", "abcde", "abcde"),
      ("one\r\ntwo\tthree", "one two three", "one two three"),
    ])
  func texts(_ text: String, _ a00: String, _ a02: String) {
    #expect(meaning(text, .a00) == a00)
    #expect(meaning(text, .a02) == a02)
  }

  @Test func aTextHasAnEnd() {
    #expect(Typesetter(rom: .a00).cells(String(repeating: "Щ", count: 100_000)).count == 512)
  }

  @Test("Unwritable text is not a title: the next known text replaces it")
  func fallback() {
    let cases: [(artist: String, title: String, station: String, tall: [String], flat: [String])] = [
      ("Ado", "うっせぇわ", "FIP", ["▶ FIP", "Ado", "MP3 128 kbit/s"], ["▶ FIP          █", "Ado"]),
      ("😀", "東京", "FIP", ["▶ FIP", "MP3 128 kbit/s", ""], ["▶ FIP          █", "MP3 128 kbit/s"]),
      ("Ado", "A 😀 B", "ラジオ", ["▶ Bakelite", "Ado", "A B"], ["▶ Bakelite     █", "Ado - A B"]),
    ]
    for (artist, title, station, tall, flat) in cases {
      let view = PanelView.playing {
        ($0.artist, $0.title, $0.station) = (artist, title, station)
      }
      var (large, small) = (Hand(20, 4, view, rom: .a02), Hand(16, 2, view, rom: .a02))
      #expect(Array(large.picture().rows.prefix(3)) == tall)
      #expect(small.picture().rows == flat)
    }
  }

  @Test func whatCannotBeWrittenHasAnEnd() {
    #expect(Typesetter(rom: .a00).cells(String(repeating: "東", count: 100_000) + "a").isEmpty)
  }

  @Test("A drawn letter resembles its character") func shape() throws {
    guard case .glyph(let glyph) = try #require(Typesetter(rom: .a00).cells("é").first) else {
      Issue.record("é is drawn")
      return
    }
    #expect(glyph.lines == [0b00010, 0b00100, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110, 0])
    #expect(glyph.spare == "e")
  }
}

struct GlyphBankTests {
  /// Starts a frame; returns the slots of its shapes.
  private static func share(_ shapes: [UInt64], _ bank: inout GlyphBank) -> [UInt64: UInt8] {
    bank.share(shapes)
    return shapes.reduce(into: [:]) { $0[$1] = bank.slot(of: $1) }
  }

  @Test("Shown characters stay in place, and no visible slot changes its shape", arguments: 0..<8 as Range<UInt64>)
  func steady(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    var bank = GlyphBank()
    var before: [UInt64: UInt8] = [:]
    var lines = bank.lines
    var wanted: [UInt64] = []
    for _ in 0..<500 {
      // Sometimes repeat the list, else remove and add some glyphs.
      if Int.random(in: 0..<3, using: &random) > 0 {
        wanted.removeAll { _ in Int.random(in: 0..<3, using: &random) == 0 }
        for _ in 0..<Int.random(in: 0..<4, using: &random) { wanted.append(UInt64.random(in: 1...30, using: &random)) }
        wanted.shuffle(using: &random)
      }
      let places = Self.share(wanted, &bank)
      let distinct = wanted.reduce(into: [UInt64]()) { if !$0.contains($1) { $0.append($1) } }
      #expect(Set(places.values).count == places.count)
      #expect(Set(places.keys).isSubset(of: Set(distinct.prefix(8))))
      for (shape, slot) in places {
        #expect(before[shape] ?? slot == slot, "a shape moved")
        #expect(bank.lines[Int(slot) * 8..<Int(slot) * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) } == shape)
      }
      for slot in before.values {
        let range = Int(slot) * 8..<Int(slot) * 8 + 8
        #expect(bank.lines[range] == lines[range], "a shown slot got another shape")
      }
      #expect(bank.isWaiting == (places.count < min(8, distinct.count)))
      (before, lines) = (places, bank.lines)
      if bank.isWaiting {
        let next = Self.share(wanted, &bank)
        #expect(next.count == min(8, distinct.count), "one frame later there is room")
        (before, lines) = (next, bank.lines)
      }
    }
  }

  @Test func lettersStandBackBehindIcons() {
    var hand = Hand(
      20, 4,
      .playing {
        $0.artist = "ÁÉÍÓÚáéíóúà"; $0.title = "êîôûç"; $0.held = 7.2
      })
    let rows = hand.picture().rows
    #expect(rows[0].first == "▶")
    #expect(rows[1] == "ÁÉÍÓÚáeióua", "ó is drawn as Ó is")
    #expect(rows[2] == "eiouc")
    #expect(rows[3].hasPrefix("███████▏··"))
  }
}
