import Panel
import PanelWords
import SeededRandom
import Testing
import Units

struct FrontPanelTests {
  @Test("The knob moves in the station list, and tunes after a pause (S1)")
  func theKnobTunesAfterAPause() {
    var hand = Hand(20, 4)
    hand.turn(1)
    hand.wait(300)
    hand.turn(1)
    #expect(hand.orders == [])
    #expect(hand.panel.nextChange(after: hand.now) == hand.now, "the list was not drawn yet")
    _ = hand.picture()
    #expect(hand.panel.nextChange(after: hand.now) == hand.now + .ms(400))
    hand.wait(400)
    #expect(hand.orders == [.tune(4)])
    hand.view.stationIndex = 4
    hand.wait(2000)
    #expect(hand.picture().rows[0] == "▶ Deutschlandfunk", "the list is gone")
    #expect(hand.orders == [.tune(4)])
  }

  @Test func selectTunesAtOnce() {
    var hand = Hand(16, 2)
    hand.turn(-1)
    hand.press(.select)
    hand.wait(5000)
    #expect(hand.orders == [.tune(1)])
  }

  @Test func turningBackTunesNothing() {
    var hand = Hand(16, 2)
    hand.turn(1)
    hand.turn(-1)
    hand.wait(5000)
    #expect(hand.orders == [])
  }

  @Test func theListGoesAround() {
    var hand = Hand(16, 2, .playing { $0.stationIndex = 11 })
    hand.turn(1)
    #expect(hand.picture().rows[0] == "→ 1 Radio Paradi")
    hand.turn(-1)
    #expect(hand.picture().rows[1] == "→12 WFMU")
    hand.view.stationIndex = nil
    hand.wait(5000)
    hand.orders = []
    hand.turn(-1)
    hand.press(.select)
    #expect(hand.orders == [.tune(11)])
  }

  @Test(
    "A key has its action",
    arguments: [
      (.playPause, [.playPause]), (.stop, [.stop]), (.next, [.tune(3)]), (.previous, [.tune(1)]),
      (.preset(1), [.tune(0)]),
      (.preset(3), []), (.rewind, [.seek(by: -10)]), (.forward, [.seek(by: 10)]), (.live, [.live]),
      (.volumeUp, [.volume(60)]), (.volumeDown, [.volume(56)]), (.mute, [.mute(true)]),
      (.mode, [.setting(.knobMode(.volume))]), (.menu, []), (.select, []), (.record, [.record]), (.keep, [.keep]),
      (.sleep, [.sleep(minutes: 15)]), (.power, [.powerOff]),
    ] as [(PanelAction, [PanelOrder])])
  func keys(_ action: PanelAction, _ orders: [PanelOrder]) {
    var hand = Hand(20, 4, .playing { $0.timeShift = 60 })
    hand.press(action)
    #expect(hand.orders == orders)
  }

  @Test func aListWithoutStationsSaysSo() {
    for action in [PanelAction.next, .previous, .preset(1)] {
      var hand = Hand(
        16, 2,
        .playing {
          $0.stations = []; $0.stationIndex = nil
        })
      hand.press(action)
      #expect(hand.orders == [])
      #expect(hand.picture().rows[0] == (action == .preset(1) ? "No preset 1" : "No stations"))
    }
    var hand = Hand(20, 4, .playing { $0.stations = [] })
    hand.turn(3)
    #expect(hand.orders == [])
  }

  @Test func theStationsMayGoWhileTheListIsOpen() {
    var hand = Hand(20, 4)
    hand.turn(1)
    hand.view.stations = []
    #expect(hand.picture().rows == ["", "", "", ""])
    hand.wait(400)
    #expect(hand.orders == [])
  }

  @Test func turnsOfTheVolumeAddUpBeforeTheRadioHasFollowed() {
    var hand = Hand(20, 4)
    for _ in 0..<3 {
      hand.turn(1, mode: .volume)
      hand.wait(200)
    }
    #expect(hand.orders == [.volume(60), .volume(62), .volume(64)])
    hand.wait(2000)
    hand.turn(1, mode: .volume)
    #expect(hand.orders.last == .volume(60), "what the radio says counts again")
  }

  @Test func theVolumeHasEnds() {
    var hand = Hand(20, 4, .playing { $0.volume = 99 })
    hand.press(.volumeUp, .volumeUp)
    #expect(hand.orders == [.volume(100)])
    hand = Hand(
      20, 4,
      .playing {
        $0.volume = 1; $0.isMuted = true
      })
    hand.press(.volumeDown, .volumeDown, .volumeUp)
    #expect(hand.orders == [.volume(0), .volume(2), .mute(false)])
  }

  @Test func aFastTurnIsNeverMuchLouder() {
    var hand = Hand(20, 4, .playing { $0.volume = 20 })
    for _ in 0..<10 {
      hand.turn(1, mode: .volume)
      hand.wait(5)
    }
    guard case .volume(let louder)? = hand.orders.last else { return }
    #expect(louder > 40 && louder <= 60)
  }

  @Test func theTimeShiftEndsWhereTheSoundEnds() {
    var hand = Hand(
      20, 4,
      .playing {
        $0.heldBehind = 7.8; $0.timeShift = 4
      })
    hand.press(.rewind, .forward)
    #expect(hand.orders == [.seek(by: -7), .live])
    hand = Hand(20, 4, .playing { $0.heldBehind = 0 })
    hand.press(.rewind, .forward)
    #expect(hand.orders == [])
    hand = Hand(
      20, 4,
      .playing {
        $0.position = 5; $0.duration = 12
      })
    hand.press(.rewind, .forward)
    #expect(hand.orders == [.seek(by: -5), .seek(by: 7)])
    hand = Hand(20, 4, .playing { $0.state = .stopped })
    hand.press(.rewind)
    #expect(hand.orders == [])
  }

  @Test("The knob rewinds live radio in its time mode (N1)")
  func theKnobRewindsWhenItIsSetTo() {
    var hand = Hand(20, 4)
    hand.press(.mode, .mode)
    #expect(hand.panel.knobMode == .scrub && hand.picture().rows.contains { $0.contains("Knob: time") })
    hand.wait(3000)
    hand.turn(-1)
    #expect(hand.orders.last == .seek(by: -10))
    #expect(hand.picture().rows[0] == "▶ Time shift")
  }

  @Test func theMenuSetsTheSleepTimer() {
    var hand = Hand(16, 2)
    hand.press(.menu, .next, .select)
    hand.turn(2)
    hand.press(.select)
    #expect(hand.orders == [.sleep(minutes: 30)])
    hand.view.sleepMinutes = 30
    #expect(hand.picture().rows[0] == "→Sleep in 30 min")
    hand.press(.select)
    #expect(hand.picture().rows[0] == "→Sleep  [30 min]")
    hand.press(.menu)
    #expect(hand.picture().rows[0] == "→Sleep in 30 min", "back without a choice")
    hand.press(.menu)
    #expect(hand.picture().rows[0].first == "▶")
  }

  @Test func theMenuChangesSettings() {
    var hand = Hand(20, 4)
    hand.press(.menu)
    for _ in 0..<6 { hand.turn(1) }
    for turn in [1, -2, 2] {
      hand.turn(1)
      hand.press(.select)
      hand.turn(turn)
      hand.press(.select)
    }
    #expect(
      hand.orders == [.setting(.knobMode(.volume)), .setting(.scrollMilliseconds(500)), .setting(.idleClock(true))])
    #expect(hand.panel.settings.scrollMilliseconds == 500)
    hand.turn(6)
    hand.press(.select)
    #expect(hand.picture().rows[0] == "▶ Deutschlandfunk", "back")
  }

  @Test func theMenuRecordsAndKeeps() {
    var hand = Hand(20, 4)
    hand.press(.menu)
    hand.turn(2)
    #expect(hand.picture().rows[1] == "→Record          off")
    hand.press(.select)
    hand.view.recording = PanelRecording(name: "Feeling Good.mp3", seconds: 65, roomSeconds: 7_200)
    #expect(hand.picture().rows == ["● Recording     1:05", "Feeling Good.mp3", "", "Room for 2:00:00"])
    hand.wait(5_000)
    #expect(hand.picture().rows[3].contains("●"))
    hand.press(.menu)
    hand.turn(2)
    #expect(hand.picture().rows[1] == "→Record         1:05")
    hand.press(.select)
    #expect(hand.picture().rows[1] == "      Recorded")
    for step in [3, 4] {
      hand.press(.menu)
      for _ in 0..<step { hand.turn(1) }
      hand.press(.select)
    }
    #expect(hand.orders == [.record, .record, .keep, .keepPrevious])
    hand.view.state = .stopped
    hand.press(.menu)
    hand.turn(2)
    #expect(hand.picture().rows[1] == "→Recordings", "what is stopped is not recorded")
  }

  @Test("The display key, and the menu, select the view of a playing station")
  func faces() {
    var hand = Hand(20, 4)
    hand.view.sound = .slope
    hand.press(.display)
    #expect(hand.orders == [.setting(.face(.spectrum))])
    #expect(hand.picture().rows[0] == "Feeling Good")
    #expect(hand.panel.nextChange(after: hand.now) == hand.now + .ms(90))
    hand.view.state = .paused
    #expect(hand.picture().rows[0].hasPrefix("⏸ Deutschlandfunk"), "what does not sound has no spectrum")
    hand.view.state = .connecting
    #expect(hand.picture().rows[0] == "Feeling Good", "what is held sounds on while the connection is made anew")
    hand.view.isAudible = false
    #expect(hand.picture().rows[0].hasSuffix(" Deutschlandfunk"), "\(hand.picture().rows[0])")
    hand.view.isAudible = true
    hand.view.state = .playing
    hand.press(.display, .display)
    #expect(hand.picture().rows[0].hasPrefix("▶ Deutschlandfunk"))
    hand.press(.menu)
    for _ in 0..<6 { hand.turn(1) }
    hand.press(.select)
    hand.turn(2)
    hand.turn(2)
    hand.press(.select)
    #expect(hand.orders.last == .setting(.face(.level)))
  }

  @Test("A bar rises at once and falls evenly; the loudest band is nearly full at any volume")
  func bars() {
    var hand = Hand(16, 2)
    hand.press(.display)
    func columns(_ hand: inout Hand, _ bands: [Double]) -> [String] {
      hand.view.sound = PanelSound()
      hand.view.sound?.bands = bands
      hand.wait(90)
      return hand.picture().rows
    }
    let one = (0..<16).map { $0 == 3 ? -40.0 : -120 }
    #expect(columns(&hand, one) == ["   █", "   █"])
    let none = Array(repeating: -120.0, count: 16)
    var heights: [String] = []
    for _ in 0..<12 { heights.append(columns(&hand, none).joined(separator: "/")) }
    #expect(heights.first == "   ▆/   █" && heights.last == "/")
    #expect(heights == heights.sorted { $0.count > $1.count } || Set(heights).count > 6)
    #expect(columns(&hand, (0..<16).map { $0 == 5 ? -58.0 : -120 })[1].count == 6)
  }

  @Test func theMenuListsEpisodes() {
    var hand = Hand(20, 4)
    hand.view.episodes = (1...40).map { "Part \($0)" }
    hand.view.episodeIndex = 2
    hand.press(.menu)
    #expect(hand.picture().rows[0] == "→Episodes")
    hand.press(.select)
    #expect(hand.picture().rows == ["  2 Part 2", "→ 3 Part 3", "  4 Part 4", "  5 Part 5"])
    hand.turn(1)
    hand.turn(1)
    #expect(hand.picture().rows == ["  4 Part 4", "→ 5 Part 5", "  6 Part 6", "  7 Part 7"])
    hand.press(.select)
    #expect(hand.orders == [.episode(4)])
    #expect(hand.picture().rows[0].first == "▶")
    hand.view.episodes = []
    hand.press(.menu)
    #expect(hand.picture().rows[0].hasPrefix("→Find"))
  }

  @Test func theMenuLeavesByItself() {
    var hand = Hand(20, 4)
    hand.press(.menu)
    _ = hand.picture()
    #expect(hand.panel.nextChange(after: hand.now) == hand.now + .ms(15_000))
    hand.wait(14_999)
    #expect(hand.picture().rows[0].hasPrefix("→Find"))
    hand.wait(1)
    #expect(hand.picture().rows[0] == "▶ Deutschlandfunk")
  }

  @Test func theInfoIsReadWithTheKnob() {
    var hand = Hand(16, 2)
    hand.press(.menu)
    hand.turn(14)
    hand.press(.select)
    hand.turn(3)
    #expect(hand.picture().rows == ["Back 15:00/45:00", "192.168.1.20"])
    hand.turn(9)
    #expect(hand.picture().rows == ["192.168.1.20", "Bakelite 0.5"])
  }

  @Test func standbyEndsWithAKey() {
    for action in [PanelAction.power, .select, .playPause] {
      var hand = Hand(
        20, 4,
        .playing {
          $0.state = .stopped; $0.isStandby = true
        })
      hand.press(action)
      #expect(hand.orders == [.playPause])
    }
  }

  @Test(
    "The power key switches off a radio that gave up, and switches on a stopped one (I1)", arguments: [true, false])
  func power(isRetrying: Bool) {
    var hand = Hand(20, 4, .playing { ($0.state, $0.isRetrying) = (.stopped, isRetrying) })
    hand.press(.power)
    #expect(hand.orders == [isRetrying ? .powerOff : .playPause])
  }

  @Test func theSleepKeyGoesThroughItsTimes() {
    var hand = Hand(16, 2)
    for minutes in [15, 30, 60, 90, nil, 15] {
      hand.press(.sleep)
      #expect(hand.orders.last == .sleep(minutes: minutes))
      hand.view.sleepMinutes = minutes
    }
    #expect(hand.picture().rows[0] == "Sleep in 15 min")
  }

  @Test func aRefusalIsShownForTwoSeconds() {
    var hand = Hand(16, 2)
    hand.panel.announce(.recordingFailed, at: hand.now)
    #expect(hand.picture().rows[0] == "Recording failed")
    hand.wait(2000)
    #expect(hand.picture().rows[0].first == "▶")
  }

  @Test func aWrongSettingIsShownForEightSeconds() {
    var hand = Hand(16, 2)
    hand.panel.announce(.settingReplaced(key: "a"), at: hand.now)
    hand.wait(7_900)
    #expect(hand.picture().rows[0] == "Wrong setting: a")
    hand.wait(100)
    #expect(hand.picture().rows[0].first == "▶")
  }

  @Test func aPresetWhoseNameCannotBeWrittenIsCalledAfterItsPlace() {
    var hand = Hand(20, 4)
    hand.panel.announce(.preset(number: 7, name: "راديو"), at: hand.now)
    #expect(hand.picture().rows[1] == "Preset 7: Station 7")
  }

  @Test(
    "Any input gives a whole frame that changes only as announced (S3)",
    arguments: 0..<8 as Range<UInt64>)
  func anything(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    let (columns, rows) = [(20, 4), (16, 2)][Int(seed % 2)]
    var hand = Hand(columns, rows, rom: seed < 4 ? .a00 : .a02)
    var before: DisplayFrame?
    let actions = PanelAction.words.compactMap { PanelAction($0) }
    for _ in 0..<500 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: if let action = actions.randomElement(using: &random) { hand.press(action) }
      case 2...4:
        hand.turn(Int.random(in: -3...3, using: &random), mode: KnobMode.allCases.randomElement(using: &random))
      case 5: if let scene = Gallery.scenes.randomElement(using: &random) { hand.view = scene.view }
      case 6:
        hand.view.title =
          ["Ánima, Ísland", "Žižkov čeká", "", "Ğüneş İstanbul’da çok güzel"].randomElement(using: &random) ?? ""
      default: hand.wait(Int64.random(in: 0...3000, using: &random))
      }
      let picture = hand.picture()
      if let before { expectWhole(before, picture.frame) }
      before = picture.frame
      // Only a letter that waits for a free glyph changes later.
      let next = hand.panel.nextChange(after: hand.now)
      #expect(next >= hand.now)
      if next > hand.now + .ms(50), next < .never {
        var copy = hand
        copy.now = MonotonicTime(nanoseconds: next.nanoseconds - 1)
        #expect(copy.panel.advance(copy.view, at: copy.now) == [])
        let later = copy.picture().rows
        #expect(later == picture.rows)
      }
    }
  }

  /// Expects that a glyph shown in an unchanged cell keeps its shape.
  private func expectWhole(_ old: DisplayFrame, _ new: DisplayFrame) {
    for (index, code) in new.cells.enumerated() {
      #expect(code < 8 || code >= 0x10)
      let shown = old.cells[index]
      guard shown < 8 else { continue }
      let range = Int(shown) * 8..<Int(shown) * 8 + 8
      #expect(old.glyphs[range] == new.glyphs[range], "a shape changed under a cell that shows it")
    }
  }
}
