import Panel
import PanelWords
import Testing
import Units

struct ScreenTests {
  static let sizes = [(20, 4), (16, 2), (20, 2), (16, 4)]

  @Test(
    "Every screen equals its picture, in each language (D7)", arguments: Language.allCases,
    Gallery.scenes.map(\.name))
  func golden(_ language: Language, _ name: String) throws {
    let scene = try #require(Gallery.scenes.first { $0.name == name })
    let (large, small) = (Gallery.lines(scene, 20, 4, language), Gallery.lines(scene, 16, 2, language))
    let lines = large.indices.map { small.indices.contains($0) ? "\(large[$0]) \(small[$0])" : large[$0] }
    #expect(lines.joined(separator: "\n") == Golden.screens(language)[name])
  }

  @Test(arguments: Language.allCases) func noScreenIsForgotten(_ language: Language) {
    #expect(Set(Gallery.scenes.map(\.name)) == Set(Golden.screens(language).keys))
  }

  @Test("The display's codes and shapes equal the intended characters", arguments: sizes)
  func codes(_ columns: Int, _ rows: Int) {
    for rom in CharacterRom.allCases {
      var shapes: [Character: [UInt8]] = [:]
      for scene in Gallery.scenes {
        var hand = Hand(columns, rows, scene.view, rom: rom)
        scene.act(&hand)
        let picture = hand.picture()
        #expect(picture.frame.cells.count == columns * rows)
        for (code, character) in zip(picture.frame.cells, picture.characters) {
          if code < 8, character != "▄" {
            let shape = Array(picture.frame.glyphs[Int(code) * 8..<Int(code) * 8 + 8])
            #expect(shapes.updateValue(shape, forKey: character) ?? shape == shape, "\(character) has one shape")
          } else if code >= 8 {
            #expect(rom.code(for: character) == code, "\(scene.name): \(character)")
          }
        }
      }
      shapes["▃"] = nil
      #expect(Set(shapes.values).count == shapes.count, "each shape means one thing, but for ▃ and the figures' ▄")
      #expect(shapes["⏸"] == [0x1B, 0x1B, 0x1B, 0x1B, 0x1B, 0x1B, 0x1B, 0])
    }
  }

  @Test func theLightGoesOutInStandbyWithoutAClock() {
    var hand = Hand(
      20, 4,
      .playing {
        $0.state = .stopped; $0.isStandby = true
      })
    hand.panel = FrontPanel(
      columns: 20, rows: 4,
      settings: {
        var settings = PanelSettings(); settings.idleClock = false; return settings
      }())
    #expect(!hand.picture().frame.isLit)
    #expect(hand.picture().rows == ["", "", "", ""])
    hand.press(.volumeUp)
    #expect(hand.picture().frame.isLit)
  }

  @Test func theClockComesSomeTimeAfterTheWordStopped() {
    var hand = Hand(20, 4, .playing { $0.state = .stopped })
    hand.press(.stop)
    #expect(hand.picture().rows[1] == "Stopped")
    #expect(hand.panel.nextChange(after: hand.now) == hand.now + .ms(5000))
    hand.wait(5000)
    #expect(hand.picture().rows[0].contains("Friday"))
  }

  @Test("A static screen needs no wake-up")
  func rest() {
    for (columns, rows) in [(20, 4), (16, 2)] {
      var hand = Hand(
        columns, rows,
        .playing {
          $0.station = "FIP"; $0.artist = ""; $0.title = "Feeling Good"
        })
      #expect(hand.panel.nextChange(after: hand.now) == hand.now, "nothing was drawn yet")
      _ = hand.picture()
      #expect(hand.panel.nextChange(after: hand.now) == .never)
    }
  }

  @Test func aTitleBeginsAnewOnlyWhenItChanges() {
    var hand = Hand(20, 4, .playing { $0.title = "I Wish I Knew How It Would Feel to Be Free" })
    _ = hand.picture()
    hand.wait(4000)
    #expect(hand.picture().rows[2] == " I Knew How It Would")
    hand.view.held = 5
    #expect(hand.picture().rows[2] == " I Knew How It Would")
    hand.view.title = "Don't Let Me Be Misunderstood"
    #expect(hand.picture().rows[2] == "Don't Let Me Be Misu")
  }

  @Test(
    "Foreign text cannot break a terminal or a frame",
    arguments: [
      "\u{1B}[31mred\u{7}\u{202E}back\u{2066}\u{200B}", "東京 ガール مرحبا 😀👩‍👩‍👧 🇩🇪", "a\u{301}\u{302}\u{303}\u{304}\u{20DD}",
      "\0\r\n\t\u{85}",
      String(repeating: "ä", count: 5000), "ガガガﾞ\u{FF9E}", "Őőřŝ Ďábel ŵ\u{323}",
    ])
  func hostile(_ text: String) {
    for rom in CharacterRom.allCases {
      for (columns, rows) in Self.sizes {
        var hand = Hand(
          columns, rows,
          .playing {
            $0.title = text; $0.artist = text; $0.station = text; $0.stations = [text, text, text]
          },
          rom: rom)
        for overlay in 0..<3 {
          if overlay == 1 { hand.turn(1) }
          if overlay == 2 { hand.panel.announce(.songKept(title: text), at: hand.now) }
          let picture = hand.picture()
          #expect(picture.frame.cells.allSatisfy { $0 < 8 || $0 >= 0x10 })
          for line in TerminalFrame.lines(of: picture) {
            // A combining mark shares a cell with its letter.
            let cells = line.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }
            #expect(cells.count == columns + 2, "\(line)")
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
            #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .format && $0.value < 0x1F000 })
            #expect(line.unicodeScalars.allSatisfy { !(0x2E80...0xFF60).contains($0.value) }, "nothing wide")
          }
        }
      }
    }
  }
}

struct ScrollerTests {
  @Test func aShortTextStandsStill() {
    let scroller = Scroller(length: 20, width: 20, start: .zero, pace: .ms(350))
    #expect((0..<100).allSatisfy { scroller.offset(at: .ms(Int64($0) * 100)) == 0 })
    #expect(scroller.nextChange(after: .ms(5)) == .never)
  }

  @Test(
    "A scrolling text rests at both ends, moves by one, restarts (S3)",
    arguments: [
      (0, 0), (1999, 0), (2000, 1), (2349, 1), (2350, 2), (2700, 3), (4699, 3), (4700, 0), (6699, 0), (6700, 1),
    ])
  func moves(_ now: Int64, _ offset: Int) {
    let scroller = Scroller(length: 23, width: 20, start: .ms(100), pace: .ms(350))
    #expect(scroller.offset(at: .ms(100 + now)) == offset)
  }

  @Test("A scrolling text changes only at the announced time", arguments: [1, 3, 40])
  func changes(_ overhang: Int) {
    let scroller = Scroller(length: 16 + overhang, width: 16, start: .ms(7), pace: .ms(350))
    var now = MonotonicTime.ms(7)
    for _ in 0..<200 {
      let next = scroller.nextChange(after: now)
      #expect(next > now)
      #expect(scroller.offset(at: MonotonicTime(nanoseconds: next.nanoseconds - 1)) == scroller.offset(at: now))
      #expect(scroller.offset(at: next) != scroller.offset(at: now))
      now = next
    }
  }
}
