import Panel
import PanelWords
import SeededRandom
import Units

/// A panel with its view, clock and orders, operated by a test.
struct Hand {
  var panel: FrontPanel
  var view: PanelView
  var now = MonotonicTime.ms(1_000_000)
  var orders: [PanelOrder] = []
  /// The box's answers from the station directory.
  var directory: @Sendable (FindRequest) -> FindAnswer = { SampleDirectory.answer($0) }

  init(
    _ columns: Int, _ rows: Int, _ view: PanelView = .playing, rom: CharacterRom = .a00, _ language: Language = .english
  ) {
    var settings = PanelSettings()
    settings.language = language
    panel = FrontPanel(columns: columns, rows: rows, rom: rom, settings: settings)
    self.view = view
  }

  mutating func press(_ actions: PanelAction...) {
    for action in actions { handle(.action(action)) }
  }

  mutating func turn(_ clicks: Int, mode: KnobMode? = nil) {
    for _ in 0..<abs(clicks) { handle(.turn(clicks.signum(), mode: mode)) }
  }

  /// Turns slowly, one row per click.
  mutating func step(_ clicks: Int) {
    for _ in 0..<abs(clicks) {
      turn(clicks.signum())
      wait(250)
    }
  }

  private mutating func handle(_ input: PanelInput) {
    view.found = panel.findRequest.map(directory)
    orders += panel.handle(input, view, at: now)
  }

  mutating func wait(_ milliseconds: Int64) {
    now = now + .ms(milliseconds)
    orders += panel.advance(view, at: now)
  }

  /// Waits until animations end.
  mutating func settle() {
    for _ in 0..<20 {
      _ = picture()
      wait(90)
    }
  }

  @discardableResult
  mutating func picture() -> PanelPicture {
    view.found = panel.findRequest.map(directory)
    return panel.picture(view, at: now)
  }
}

extension PanelView {
  static var playing: PanelView {
    var view = PanelView()
    view.state = .playing
    view.isAudible = true
    view.station = "Deutschlandfunk"
    view.stations = [
      "Radio Paradise", "FIP", "Deutschlandfunk", "BBC World Service", "SomaFM Groove Salad", "Radio Swiss Jazz",
      "KEXP Seattle", "NTS 1", "France Musique", "Ö1", "P2 Språk och musik", "WFMU",
    ]
    view.stationIndex = 2
    view.artist = "Nina Simone"
    view.title = "Feeling Good"
    view.held = 10
    view.bufferTarget = 10
    view.heldBehind = 900
    view.capacity = 2700
    view.volume = 58
    view.codec = "MP3"
    view.bitRate = 128
    view.address = "192.168.1.20"
    view.version = "0.5"
    view.clock = WallClock(hour: 14, minute: 7, weekday: 5, day: 21, month: 11)
    return view
  }

  static func playing(_ change: (inout PanelView) -> Void) -> PanelView {
    var view = playing
    change(&view)
    return view
  }
}

extension PanelView {
  /// A preset that fails and has another address in the directory.
  static var moved: PanelView {
    playing {
      $0.state = .stopped; $0.isAudible = false; $0.held = 0; $0.fault = .stationNotFound(nextTry: 60)
      $0.station = "Kitchen FM"; $0.title = ""; $0.artist = ""
      $0.question = PanelQuestion(preset: "Kitchen FM", station: "Kitchen FM Berlin", host: "stream.kitchen.example")
      $0.question?.isUrgent = true
    }
  }
}

extension PanelSound {
  /// A spectrum that falls towards the treble, with a louder left channel.
  static var slope: PanelSound {
    var sound = PanelSound()
    sound.bands = (0..<20).map { -20 - 2 * Double($0) }
    (sound.averages, sound.peaks) = ([-12, -24], [-3.2, -9.8])
    return sound
  }
}

enum Gallery {
  static let names = scenes.map(\.name)

  typealias Scene = (name: String, view: PanelView, act: @Sendable (inout Hand) -> Void)

  static let scenes: [Scene] = radioScenes + sourceScenes + findScenes + roomScenes + shelfScenes + webScenes

  private static let radioScenes: [Scene] = [
    ("boot", .playing { $0.bootStage = .soundCard }, { _ in }),
    (
      "connecting",
      .playing {
        $0.state = .connecting; $0.isAudible = false; $0.held = 0; $0.title = ""; $0.artist = ""
      }, { _ in }
    ),
    (
      "buffering",
      .playing {
        $0.state = .buffering; $0.isAudible = false; $0.held = 4.3
      }, { _ in }
    ),
    ("playing", .playing, { _ in }),
    (
      "playing, no title",
      .playing {
        $0.artist = ""; $0.title = ""; $0.held = 7.4
      }, { _ in }
    ),
    (
      "playing, long title", .playing { $0.title = "I Wish I Knew How It Would Feel to Be Free" },
      { hand in
        _ = hand.picture()
        hand.wait(4000)
      }
    ),
    (
      "playing, muted, to sleep",
      .playing {
        $0.isMuted = true; $0.sleepMinutes = 27
      }, { _ in }
    ),
    (
      "playing, no volume",
      .playing {
        $0.volume = 0
      }, { _ in }
    ),
    (
      "playing, behind",
      .playing {
        $0.timeShift = 150; $0.held = 160
      }, { _ in }
    ),
    (
      "paused",
      .playing {
        $0.state = .paused; $0.timeShift = 31; $0.held = 41
      }, { _ in }
    ),
    (
      "a guest plays",
      .playing {
        $0.state = .paused; $0.isAudible = false; $0.timeShift = 31; $0.held = 41; $0.guest = "AirPlay"
        $0.fault = .noNetwork
      }, { _ in }
    ),
    (
      "a guest plays, stopped",
      .playing {
        $0.state = .stopped; $0.isAudible = false; $0.guest = ""
      }, { _ in }
    ),
    (
      "menu, a guest plays",
      .playing {
        $0.state = .paused; $0.guest = "AirPlay"
      }, { $0.press(.menu) }
    ),
    (
      "a file",
      .playing {
        $0.position = 754; $0.duration = 3130; $0.station = "Logbuch Netzpolitik"
      }, { _ in }
    ),
    (
      "spectrum",
      .playing {
        $0.sound = .slope
      },
      {
        $0.press(.display); $0.settle()
      }
    ),
    (
      "level",
      .playing {
        $0.sound = .slope
      },
      {
        $0.press(.display, .display); $0.settle()
      }
    ),
    (
      "recording",
      .playing {
        $0.recording = PanelRecording(name: "Deutschlandfunk", seconds: 754, roomSeconds: 40_000)
      }, { _ in }
    ),
    (
      "record",
      .playing,
      {
        $0.press(.record)
        $0.view.recording = PanelRecording(name: "Deutschlandfunk", seconds: 1, roomSeconds: 40_000)
      }
    ),
    ("tuning", .playing, { $0.turn(2) }),
    ("volume", .playing, { $0.turn(-1, mode: .volume) }),
    ("muted", .playing, { $0.press(.mute) }),
    ("full volume", .playing { $0.volume = 98 }, { $0.press(.volumeUp) }),
    (
      "time shift",
      .playing {
        $0.timeShift = 750; $0.heldBehind = 1350
      }, { $0.press(.rewind) }
    ),
    ("time shift, live", .playing, { $0.press(.live) }),
    ("menu", .playing, { $0.press(.menu) }),
    (
      "menu, choosing", .playing,
      {
        $0.press(.menu); $0.turn(1); $0.press(.select); $0.turn(2)
      }
    ),
    (
      "info", .playing,
      {
        $0.press(.menu); $0.turn(14); $0.press(.select)
      }
    ),
    (
      "menu, further", .playing,
      {
        $0.press(.menu); $0.turn(9)
      }
    ),
    ("knob mode", .playing, { $0.press(.mode) }),
    (
      "stopped",
      .playing {
        $0.state = .stopped; $0.isAudible = false; $0.clock = nil
      }, { _ in }
    ),
    (
      "idle clock",
      .playing {
        $0.state = .stopped; $0.isAudible = false
      }, { _ in }
    ),
    (
      "server gone",
      .playing {
        $0.state = .connecting; $0.held = 41; $0.fault = .serverGone(attempt: 3, nextTry: 12)
      }, { _ in }
    ),
    (
      "server gone, three seconds later",
      .playing {
        $0.state = .connecting; $0.held = 38; $0.fault = .serverGone(attempt: 3, nextTry: 9)
      },
      { hand in
        _ = hand.picture()
        hand.wait(3000)
      }
    ),
    (
      "no network",
      .playing {
        $0.state = .connecting; $0.isAudible = false; $0.held = 0; $0.fault = .noNetwork
      }, { _ in }
    ),
    (
      "station not found",
      .playing {
        $0.state = .connecting; $0.isAudible = false; $0.held = 0; $0.fault = .stationNotFound(nextTry: 60)
      }, { _ in }
    ),
    (
      "refused",
      .playing {
        $0.state = .connecting; $0.isAudible = false; $0.held = 0; $0.fault = .refused(code: 403, nextTry: 60)
      }, { _ in }
    ),
    (
      "not playable",
      .playing {
        $0.state = .stopped; $0.isAudible = false; $0.held = 0; $0.fault = .notPlayable(kind: "HLS")
      }, { _ in }
    ),
    (
      "no sound card",
      .playing {
        $0.state = .buffering; $0.isAudible = false; $0.held = 10; $0.fault = .soundCardMissing
      }, { _ in }
    ),
    (
      "waiting for the time",
      .playing {
        $0.state = .connecting; $0.isAudible = false; $0.held = 0; $0.clock = nil; $0.fault = .waitingForClock
      }, { _ in }
    ),
    ("moved?", .moved, { _ in }),
    ("moved?, answered", .moved, { hand in hand.turn(1) }),
    (
      "menu, moved?", .moved,
      { hand in
        hand.press(.menu)
        hand.turn(1)
        hand.turn(-1)
      }
    ),
  ]

  static func picture(_ scene: Scene, _ columns: Int, _ rows: Int, _ language: Language) -> PanelPicture {
    var hand = Hand(columns, rows, scene.view, language)
    scene.act(&hand)
    return hand.picture()
  }

  /// The picture of a scene, as lines of text.
  static func lines(_ scene: Scene, _ columns: Int, _ rows: Int, _ language: Language) -> [String] {
    TerminalFrame.lines(of: picture(scene, columns, rows, language))
  }
}

extension Duration {
  static func ms(_ milliseconds: Int64) -> Duration { Duration(milliseconds: milliseconds) }
}

extension MonotonicTime {
  static func ms(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }
}
