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
  /// True if the last order was to play.
  public var isMeantToPlay = false
  /// True if the radio is stopped although its owner wants it to play: it gave up and will retry, or has no sound card.
  public var isRetrying = false
  /// The boot stage; nil after boot.
  public var bootStage: BootStage?
  /// The current fault; nil without a fault.
  public var fault: PanelFault?

  /// The name of another program that uses the sound card, "" if unknown; nil if the radio uses it.
  public var guest: String?

  /// The name of this room, "" if unknown; nil if the box is a radio.
  public var room: String?

  /// The station's name, or the name of the source that plays instead of the station.
  public var station = ""
  /// The source that plays instead of the station, or of the station's own address; otherwise nil.
  public var source: PanelSource?
  /// True while the tone plays.
  var hasTone: Bool { source?.kind == .tone }
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

  /// The recordings, while `FrontPanel.showsRecordings`; nil before the first answer.
  public var shelf: PanelShelf?

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
}
