import PanelWords
import Testing

@testable import Panel

@Suite struct DisplayTextTests {
  private static let long = "88:88:88"

  /// Each text, with its width in columns on a 16-column display.
  private static func places(_ texts: any DisplayTexts) -> [(text: FittedText, columns: Int)] {
    let faults = FaultTextTests.faults.map { texts.fault($0) }
    let whole = [
      texts.stopped, texts.connecting, texts.buffering("99/99 s"), texts.buffering(nil), texts.recording,
      texts.noStation, texts.noNetwork, texts.buffer(long), texts.recorded("8:88:88"), texts.room(long),
      texts.rewindable("88:88", of: "88:88"), texts.rewindable("8:88:88", of: nil),
      texts.buffered(long, isHeard: true), texts.buffered(long, isHeard: false),
      texts.moved("FIP"), texts.plays("AirPlay"), texts.plays(""), texts.code("WWWWWWWW"),
    ]
    var places: [(text: FittedText, columns: Int)] = [
      (FittedText(texts.muteMark), 5), (FittedText(texts.silentMark), 5), (texts.volume, 4), (texts.muted, 4),
      (texts.peak, 4), (texts.position, 14), (texts.timeShift, 14), (texts.held("88:88"), 11),
      (texts.length("88:88"), 9),
    ]
    for list in FindEntries.start + [.start] { places.append((texts.find(list), 15)) }
    places += [(texts.asksCountry, 16), (texts.allNames, 10), (texts.letterBack, 15), (texts.unwritable(9_999), 13)]
    for answer in [FindAnswer.opening, .absent(.unasked), .absent(.failed), .fetching(stations: 99_999), .damaged] {
      places += [(texts.directory(answer).what, 16), (texts.directory(answer).doing, 16)]
    }
    places.append((texts.directory(.absent(.byHand)).what, 16))
    for shelf in [PanelShelf.reading, .slow, .missing, .unreadable, .recordings([])] {
      places += [(texts.shelf(shelf).what, 16), (texts.shelf(shelf).doing, 16)]
    }
    places += [(texts.deletes, 9), (texts.tone, 11)]
    for stage in BootStage.allCases { places.append((texts.stage(stage), 10)) }
    for item in MenuItem.allCases { places.append((texts.label(item), 15)) }
    for text in whole + faults.map(\.what) + faults.map(\.doing) + notices(texts) + dates(texts) {
      places.append((text, 16))
    }
    return places
  }

  private static func notices(_ texts: any DisplayTexts) -> [FittedText] {
    let notices: [PanelNotice] = [
      .noStations, .noPreset(9), .nothingPlays, .sleep(minutes: nil), .sleep(minutes: 90), .recordingEnded,
      .recordingFailed, .recordingsFull, .alreadyRecording, .songKept(title: "It"), .songNotKept, .songKeptAlready,
      .songGone, .noTitle,
      .noEarlierTitle, .preset(number: 12, name: "FIP"), .presetRemoved(name: "FIP"), .presetRelocated(name: "F"),
      .presetAlready, .presetsUnchanged, .stationNotPlayed, .roomUnchanged, .directoryReady, .directoryUnchanged,
      .settingReplaced(key: "x"), .recordingGrowing, .recordingNotDeleted, .diskBusy,
      .failedOver(to: "FIP"), .failedOver(to: nil), .cameBack(to: "FIP"),
      .alarm(time: "06:30"), .alarmSnoozed(minutes: 60), .alarmStopped,
    ]
    return (notices + KnobMode.allCases.map { .knob($0) }).map { texts.notice($0) }
  }

  private static func dates(_ texts: any DisplayTexts) -> [FittedText] {
    (0..<7).flatMap { weekday in
      (1...12).map { texts.date(WallClock(hour: 0, minute: 0, weekday: weekday, day: 30, month: $0)) }
    }
  }

  private static func columns(_ text: String, _ rom: CharacterRom) -> Int { Typesetter(rom: rom).cells(text).count }

  @Test("Each text has a form that fits its place on 16 columns", arguments: Language.allCases)
  func fits(_ language: Language) {
    for rom in CharacterRom.allCases {
      for (text, columns) in Self.places(language.texts) {
        #expect(Self.columns(text.forms.last ?? "", rom) <= columns, "\(text.forms)")
        #expect(text.forms.allSatisfy { !$0.isEmpty }, "\(text.forms)")
        #expect(text.forms.map(\.count) == text.forms.map(\.count).sorted(by: >), "the longest first: \(text.forms)")
      }
    }
  }

  @Test("Three answers fit side by side on 20 columns and on 16 (G5)", arguments: Language.allCases)
  func answers(_ language: Language) {
    let forms = PanelAnswer.allCases.map { language.texts.answer($0).forms }
    #expect(forms.compactMap(\.first).reduce(0) { $0 + $1.count + 2 } <= 18)
    #expect(forms.compactMap(\.last).reduce(0) { $0 + $1.count + 2 } <= 16)
    #expect(forms.allSatisfy { $0.map(\.count) == $0.map(\.count).sorted(by: >) })
  }

  @Test("Each text can be written in either ROM's letters, or in custom ones", arguments: Language.allCases)
  func letters(_ language: Language) {
    for rom in CharacterRom.allCases {
      for (text, _) in Self.places(language.texts) {
        for form in text.forms {
          let shown = Typesetter(rom: rom).cells(form).map { cell in
            switch cell {
            case .rom(_, let character): character
            case .glyph(let glyph): glyph.character
            }
          }
          #expect(String(shown) == form.replacing("…", with: "..."))
        }
      }
    }
  }

  @Test("A menu value fits next to its whole name", arguments: Language.allCases, [16, 20])
  func values(_ language: Language, _ columns: Int) {
    let texts = language.texts
    var hand = Hand(columns, 4, .playing { $0.recording = PanelRecording(name: "", seconds: 3_600, roomSeconds: nil) })
    for item in MenuItem.allCases {
      let names = texts.label(item).forms
      for choice in Menu.choices(item).indices {
        var menu = Menu()
        (menu.cursor, menu.page) = (Menu.items(hand.view).firstIndex(of: item) ?? 0, .choosing(item, choice))
        let row = Self.row(menu, hand.view, texts, columns)
        #expect(names.contains { row.hasPrefix("→\($0) ") } && row.last == "]", "\(row)")
      }
    }
    hand.press(.menu)
    #expect(hand.picture().rows.allSatisfy { $0.count <= columns })
  }

  /// The row at the menu's cursor.
  private static func row(_ menu: Menu, _ view: PanelView, _ texts: any DisplayTexts, _ columns: Int) -> String {
    var screen = Screen(
      columns: columns, rows: 4, typesetter: Typesetter(rom: .a00), texts: texts, now: .ms(0), pace: .ms(350),
      before: [nil, nil, nil, nil])
    MenuScreen.draw(menu, view, PanelSettings(), on: &screen)
    var bank = GlyphBank()
    return bank.picture(of: screen).rows.first { $0.hasPrefix("→") } ?? ""
  }

  @Test(
    "The day is written in full if there is room",
    arguments: [
      (5, 21, 11, 20, "Friday 21 November", "Fr, 21. November"),
      (3, 30, 9, 20, "Wednesday 30 Sep", "Mi, 30. September"),
      (3, 30, 9, 16, "Wednesday 30 Sep", "Mi, 30.9."), (5, 1, 5, 20, "Friday 1 May", "Freitag, 1. Mai"),
      (0, 7, 3, 16, "Sunday 7 March", "Sonntag, 7. März"), (6, 24, 12, 20, "Saturday 24 December", "Sa, 24. Dezember"),
    ])
  func days(_ weekday: Int, _ day: Int, _ month: Int, _ columns: Int, _ english: String, _ german: String) {
    let clock = WallClock(hour: 14, minute: 7, weekday: weekday, day: day, month: month)
    for (language, words) in [(Language.english, english), (.german, german)] {
      var hand = Hand(
        columns, 4,
        .playing {
          $0.state = .stopped; $0.clock = clock
        }, language)
      let row = hand.picture().rows[0]
      #expect(String(row.drop { $0 == " " }) == words)
    }
  }

  @Test("The menu changes the language at once, and names each in its own words")
  func choice() {
    for (columns, from, to) in [(20, "English", "[Deutsch]"), (16, "EN", "[DE]")] {
      var hand = Hand(columns, 2)
      hand.press(.menu)
      hand.turn(10)
      #expect(hand.picture().rows[0] == "→Language" + String(repeating: " ", count: columns - 9 - from.count) + from)
      hand.press(.select)
      hand.turn(1)
      #expect(hand.picture().rows[0].hasSuffix(to))
      hand.press(.select)
      #expect(hand.orders == [.setting(.language(.german))] && hand.panel.settings.language == .german)
      #expect(hand.picture().rows[0].hasPrefix("→Sprache") && hand.picture().rows[0].hasSuffix("Deutsch"))
    }
  }

  @Test("Another language applies to the current screen")
  func adopts() {
    var hand = Hand(16, 2, .playing { $0.isMuted = true })
    hand.press(.mode)
    #expect(hand.picture().rows[0] == "Knob: volume")
    var settings = hand.panel.settings
    settings.language = .german
    hand.panel.adopt(settings)
    #expect(hand.picture().rows[0] == "Knopf: Lautst.")
    hand.wait(2000)
    #expect(hand.picture().rows[0].contains("STUMM"))
  }

  @Test(
    "The remaining recording time is shown below a day",
    arguments: [(86_399.0, true), (86_400, false)])
  func room(_ seconds: Double, _ isSaid: Bool) {
    for size in [(20, 4), (16, 4)] {
      var hand = Hand(size.0, size.1)
      hand.press(.record)
      hand.view.recording = PanelRecording(name: "", seconds: 1, roomSeconds: seconds)
      #expect(hand.picture().rows.joined().contains("23:59:59") == isSaid)
      #expect(hand.picture().rows.joined().contains(":00:00") == false)
    }
  }
}
