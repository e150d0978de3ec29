/// The state of the radio, for the panel (R1.9).
public enum PanelState: String, CaseIterable, Sendable {
  case stopped, connecting, buffering, playing, paused
}

/// The time of day with its date.
public struct WallClock: Equatable, Sendable {
  let hour: Int
  let minute: Int
  /// 0 to 6, from Sunday.
  let weekday: Int
  let day: Int
  let month: Int

  /// Creates a time of day and clamps each number to its range; weekday 0 is Sunday, month 1 January.
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

/// The stages between power on and the first station.
public enum BootStage: Int, CaseIterable, Sendable {
  /// Reading the files.
  case starting
  case soundCard
  /// Tuning to the last station.
  case station
}

/// A running recording.
public struct PanelRecording: Equatable, Sendable {
  /// The name.
  public var name: String
  /// Recorded seconds.
  public var seconds: Double
  /// Seconds of free space; nil if unknown.
  public var roomSeconds: Double?

  /// Creates a recording.
  public init(name: String, seconds: Double, roomSeconds: Double?) {
    self.name = name
    self.seconds = seconds
    self.roomSeconds = roomSeconds
  }

  /// The remaining time in words; nil if unknown, or a day or more.
  var room: String? {
    guard let roomSeconds, roomSeconds < 86_400 else { return nil }
    return DurationText.brief(roomSeconds)
  }
}

/// The panel's snapshot of the radio; the owner updates it before each call.
public struct PanelView: Equatable, Sendable {
  /// The state of the radio.
  public var state = PanelState.stopped
  /// True if audio is playing.
  public var isAudible = false
  /// True during audible playback, also while the radio reconnects.
  var isSounding: Bool { state == .playing || state == .connecting && isAudible }
  /// True in standby.
  public var isStandby = false
  /// The boot stage; nil after boot.
  public var bootStage: BootStage?
  /// The current fault; nil without a fault.
  public var fault: PanelFault?

  /// The name of another program that uses the sound card, "" if unknown; nil if the radio uses it.
  public var guest: String?

  /// The name of this room, "" if unknown; nil if the box is a radio.
  public var room: String?

  /// The station's name.
  public var station = ""
  /// The station's position in the list, from 0; nil for another station.
  public var stationIndex: Int?
  /// The names of all stations.
  public var stations: [String] = []
  /// The names of the podcast's episodes or the list's files; empty for a station.
  public var episodes: [String] = []
  /// The position of the current item, from 0; nil if unknown.
  public var episodeIndex: Int?
  /// True if `next` and `previous` move between items instead of stations.
  public var stepsEpisodes = false
  /// The artist; empty if unknown.
  public var artist = ""
  /// The title.
  public var title = ""

  /// The question about a moved station; nil without a question.
  public var question: PanelQuestion?
  /// The sign-in code of the web panel; nil if unused or already used.
  public var webCode: PanelWebCode?
  /// The rooms of a Snapcast server; empty without rooms.
  public var rooms: [PanelRoom] = []
  /// The rows for `FrontPanel.findRequest`; nil without a request or while loading.
  public var found: FindAnswer?

  /// Position in a file in seconds; nil for a live station.
  public var position: Double?
  /// Length of a file in seconds, if known.
  public var duration: Double?
  /// Buffered and unplayed seconds: the time that playback continues without a connection.
  public var held = 0.0
  /// Buffered and played seconds: the maximum rewind.
  public var heldBehind = 0.0
  /// Seconds behind live.
  public var timeShift = 0.0
  /// Capacity of the buffer in seconds; nil if unknown.
  public var capacity: Double?
  /// Prebuffer in seconds.
  public var bufferTarget = 0.0

  /// The levels; nil if no screen shows them, or nothing plays.
  public var sound: PanelSound?
  /// The running recording; nil without a recording.
  public var recording: PanelRecording?

  /// 0 to 100.
  public var volume = 0
  /// True if muted.
  public var isMuted = false
  /// Minutes of the sleep timer; nil if off.
  public var sleepMinutes: Int?
  /// The time of day; nil before the clock is set.
  public var clock: WallClock?

  /// Such as "MP3"; empty if unknown.
  public var codec = ""
  /// Bit rate in kbit/s; 0 if unknown.
  public var bitRate = 0
  /// The address of the box; empty without a network.
  public var address = ""
  /// The version of Bakelite.
  public var version = ""

  /// Creates a stopped radio.
  public init() {}

  /// A copy without names and titles that cannot be written, so that other texts take their place.
  func written(by typesetter: Typesetter) -> PanelView {
    func written(_ text: String) -> String { typesetter.cells(text).isEmpty ? "" : text }
    var view = self
    (view.station, view.artist, view.title) = (written(station), written(artist), written(title))
    (view.guest, view.room) = (guest.map(written), room.map(written))
    return view
  }
}
