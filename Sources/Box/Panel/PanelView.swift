/// What the radio does, for the panel (R1.9).
public enum PanelState: String, CaseIterable, Sendable {
  case stopped, connecting, buffering, playing, paused
}

/// The time on the wall.
public struct WallClock: Equatable, Sendable {
  /// 0 to 23.
  let hour: Int
  /// 0 to 59.
  let minute: Int
  /// 0 to 6, from Sunday.
  let weekday: Int
  /// 1 to 31.
  let day: Int
  /// 1 to 12.
  let month: Int

  /// A time of a day; each number is taken into its range: the weekday from 0, Sunday, the month from 1.
  public init(hour: Int, minute: Int, weekday: Int, day: Int, month: Int) {
    self.hour = max(0, min(23, hour))
    self.minute = max(0, min(59, minute))
    self.weekday = max(0, min(6, weekday))
    self.day = max(1, min(31, day))
    self.month = max(1, min(12, month))
  }

  /// Such as "14:07".
  var text: String { "\(hour):\(minute < 10 ? "0" : "")\(minute)" }
}

/// How far the box is between power and the first station.
public enum BootStage: Int, CaseIterable, Sendable {
  /// The program reads its files.
  case starting
  /// It opens the sound card.
  case soundCard
  /// It takes up the last station.
  case station
}

/// A recording that runs.
public struct PanelRecording: Equatable, Sendable {
  /// What it is called.
  public var name: String
  /// Seconds recorded so far.
  public var seconds: Double
  /// Seconds that there is still room for; nil while that is unknown.
  public var roomSeconds: Double?

  /// A recording that goes by a name.
  public init(name: String, seconds: Double, roomSeconds: Double?) {
    self.name = name
    self.seconds = seconds
    self.roomSeconds = roomSeconds
  }

  /// How long there is room for, as the display says it; nil where that is unknown, or a day and more.
  var room: String? {
    guard let roomSeconds, roomSeconds < 86_400 else { return nil }
    return DurationText.brief(roomSeconds)
  }
}

/// All that the panel knows about the radio; whoever owns the radio fills it in before each call.
public struct PanelView: Equatable, Sendable {
  /// What the radio does.
  public var state = PanelState.stopped
  /// Whether sound comes.
  public var isAudible = false
  /// Whether what plays is heard, also while its connection is made anew.
  var isSounding: Bool { state == .playing || state == .connecting && isAudible }
  /// Whether it was sent to standby.
  public var isStandby = false
  /// How far it has come since power on; nil once it is up.
  public var bootStage: BootStage?
  /// What is wrong; nil while nothing is.
  public var fault: PanelFault?

  /// What another program that has the sound is called, "" where it told no name; nil while the sound is the radio's.
  public var guest: String?

  /// What the room is called that the box is, "" while that is not known; nil where the box is a radio.
  public var room: String?

  /// The station's name.
  public var station = ""
  /// The station's place in the list, from 0; nil for one that is not in it.
  public var stationIndex: Int?
  /// The names of all stations.
  public var stations: [String] = []
  /// The names of the podcast's episodes, or of the files of a list; empty where what plays is of none.
  public var episodes: [String] = []
  /// Which of them plays, from 0; nil where that is not known.
  public var episodeIndex: Int?
  /// Whether `next` and `previous` go through them, rather than through the stations.
  public var stepsEpisodes = false
  /// Who plays; empty where the station does not tell.
  public var artist = ""
  /// What is played.
  public var title = ""

  /// Whether a preset's station has moved, which the owner is asked; nil while he is asked nothing.
  public var question: PanelQuestion?
  /// The code by which one signs in at the web panel; nil where somebody has, or there is none.
  public var webCode: PanelWebCode?
  /// The rooms of a Snapcast server; empty where there are none.
  public var rooms: [PanelRoom] = []
  /// What `FrontPanel.findRequest` asks for; nil where it asks for nothing, or that is not known yet.
  public var found: FindAnswer?

  /// Seconds into a file; nil for a live station.
  public var position: Double?
  /// A file's length in seconds, where it is known.
  public var duration: Double?
  /// Seconds held and not yet heard: as long as the sound goes on by itself.
  public var held = 0.0
  /// Seconds held and already heard: as far as one can go back.
  public var heldBehind = 0.0
  /// Seconds behind what is on the air.
  public var timeShift = 0.0
  /// Seconds that can be held in all; nil while unknown.
  public var capacity: Double?
  /// Seconds that have to be held before the sound begins.
  public var bufferTarget = 0.0

  /// What is heard; nil where no screen shows it, or nothing sounds.
  public var sound: PanelSound?
  /// What is being recorded; nil while nothing is.
  public var recording: PanelRecording?

  /// 0 to 100.
  public var volume = 0
  /// Whether the sound is muted.
  public var isMuted = false
  /// Minutes until it stops by itself; nil when it does not.
  public var sleepMinutes: Int?
  /// Nil while the clock is not set.
  public var clock: WallClock?

  /// Such as "MP3"; empty while unknown.
  public var codec = ""
  /// In kbit/s; 0 while unknown.
  public var bitRate = 0
  /// Where the box is reached; empty without a network.
  public var address = ""
  /// Of Bakelite.
  public var version = ""

  /// A radio that is stopped.
  public init() {}

  /// The same without the names and titles of which nothing can be written, so that another text takes their place.
  func written(by typesetter: Typesetter) -> PanelView {
    func written(_ text: String) -> String { typesetter.cells(text).isEmpty ? "" : text }
    var view = self
    (view.station, view.artist, view.title) = (written(station), written(artist), written(title))
    (view.guest, view.room) = (guest.map(written), room.map(written))
    return view
  }
}
