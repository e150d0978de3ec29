import PanelWords
import Units

/// The settings of the box, from `bakelite.toml`. `config/bakelite.toml` documents each default.
public struct Configuration: Equatable, Sendable {
  /// The board: the name of a file in `boards/` without ".toml".
  public var board = "raspberry-pi-pcm5102-lcd2004"
  /// A time zone of the tz database; empty to use the machine's time zone.
  public var timezone = "Europe/Berlin"
  /// The language of the display.
  public var language = Language.english
  /// The start of the box.
  public var start = StartSettings()
  /// The audio output.
  public var audio = Audio()
  /// The snapserver. The server receives this box's audio, or sends audio to this box if `audio.output` is `room`.
  public var snapcast = SnapcastSettings()
  /// The buffer of a programme.
  public var buffer = Buffer()
  /// The decoders.
  public var decoding = DecodingSettings()
  /// The stations that are received in advance.
  public var prefetch = PrefetchSettings()
  /// The fallbacks of a silent station.
  public var continuity = ContinuitySettings()
  /// The control protocol and the access to it.
  public var control = Control()
  /// The front panel.
  public var panel = Panel()
  /// Recordings and saved songs.
  public var recording = Recording()
  /// The copy of the station directory.
  public var directory = Directory()
  /// The broker of Home Assistant.
  public var mqtt = MqttSettings()
  /// The bus of media keys and desktop applets.
  public var mpris = MprisSettings()
  /// The web panel.
  public var web = WebSettings()
  /// The folder of the saved state.
  public var statePath = InstalledPaths.state

  /// The unusable values for which their defaults count.
  public var replaced: [ReplacedSetting] = []

  /// Creates the default settings.
  public init() {}

  /// Returns the ALSA device: the board's card, unless the settings name a device.
  public func device(on board: Board) -> String {
    audio.device == "default" && !board.sound.card.isEmpty ? "plughw:CARD=\(board.sound.card)" : audio.device
  }

  /// `[audio]`: the audio output.
  public struct Audio: Equatable, Sendable {
    /// The role of the box.
    public enum Output: String, Sendable, CaseIterable {
      /// A radio with a sound card.
      case alsa
      /// A radio whose audio a snapserver plays in all rooms.
      case snapcast
      /// A room that plays audio from another box's snapserver. The box then has no radio of its own.
      case room
    }

    /// The role of the box.
    public var output = Output.alsa
    /// The place where the volume is applied.
    public enum Volume: String, Sendable, CaseIterable {
      /// The card's mixer; software if the card has no mixer.
      case auto
      /// The card's mixer.
      case hardware
      case software
    }

    /// The name of the ALSA device.
    public var device = "default"
    /// The period in milliseconds.
    public var periodMilliseconds = Defaults.periodMilliseconds
    /// The card's buffer in milliseconds; at least two periods.
    public var bufferMilliseconds = Defaults.bufferMilliseconds
    /// The place where the volume is applied.
    public var volume = Volume.auto
    /// Maximum volume at start, in percent.
    public var startVolumeMax = Defaults.startVolumeMax
    /// True if both channels are mixed into one.
    public var isMono = false
  }

  /// `[buffer]`: the buffer of a programme.
  public struct Buffer: Equatable, Sendable {
    /// The rule for the start of a live station.
    public enum Start: String, Sendable, CaseIterable {
      /// Start when one second is buffered.
      case adaptive
      /// Start when `waitLive` is buffered.
      case fixed
    }

    /// Number of blocks of 5,120 bytes.
    public var blocks = Defaults.blockCount
    /// Audio of a live station that is buffered, in seconds.
    public var waitLive = Defaults.waitLive
    /// Audio of a file that is buffered before playback starts, in seconds.
    public var waitFile = Defaults.waitFile
    /// The rule for the start of a live station.
    public var start = Start.adaptive
    /// Audio of a file that is downloaded at full speed, in seconds. The rest arrives at its bit rate.
    public var throttleBypass = 0.0
    /// Audio that stays buffered after a return to live, in seconds; zero to use `waitLive`.
    public var liveSafety = 0.0
    /// Time without data before a reconnect, in seconds.
    public var dataTimeout = Defaults.dataTimeout
    /// Length of a pause before the connection is closed, in seconds; zero to close it when the buffer is full.
    public var pauseTimeout = Defaults.pauseTimeout
    /// True if the radio still receives a paused station when the buffer is full. The buffer then drops the oldest
    /// audio.
    public var isContinuous = false
  }

  /// `[control]`: the control protocol and the access to it.
  public struct Control: Equatable, Sendable {
    /// The path of the Unix socket; empty for no socket.
    public var socket = InstalledPaths.socket
    /// The TCP addresses; empty for no TCP.
    public var listen: [ListenAddress] = []
    /// The file with the password in its first line, or the name of a service credential; empty for no password.
    public var passwordFile = ""

    /// Returns the password for TCP clients; nil without a file.
    public func password() throws(SettingsError) -> String? {
      guard !passwordFile.isEmpty else { return nil }
      let line = try SmallFile.secret(passwordFile)
      guard !line.isEmpty else { throw SettingsError(passwordFile, "its first line, the password, is empty") }
      return line
    }
  }

  /// `[recording]`: recordings and saved songs.
  public struct Recording: Equatable, Sendable {
    /// The folder of recordings.
    public var path = InstalledPaths.recordings
    /// Free space that recordings leave on the disk, in MiB.
    public var floorMebibytes = Defaults.recordingFloorMebibytes
    /// Maximum size of all recordings and saved songs, in GB; zero for a tenth of the disk.
    public var maxGigabytes = 0.0
    /// Extra audio before and after a saved song, in seconds.
    public var margin = 0.0
  }

  /// `[directory]`: the copy of the station directory and its use.
  public struct Directory: Equatable, Sendable {
    /// The reaction to a preset whose station has moved (G5).
    public enum Relocation: String, Sendable, CaseIterable {
      case ask
      /// Accept a new address if the directory's id and the homepage match the stored values. Otherwise ask the owner.
      case auto
      case never
    }

    /// The file of the copy.
    public var path = InstalledPaths.directory
    /// Days until the radio downloads the copy again; zero for no automatic download.
    public var updateDays = Defaults.directoryUpdateDays
    /// The reaction to a preset whose station has moved.
    public var relocate = Relocation.ask
    /// Number of days with failures before the radio looks up a preset in the directory.
    public var relocateAfterDays = Defaults.relocateAfterDays
    /// True if the radio notifies the directory of each played station.
    public var countsClicks = false
  }

  /// `[panel]`: the front panel.
  public struct Panel: Equatable, Sendable {
    /// True if a stopped radio shows the time.
    public var hasIdleClock = true
    /// Milliseconds per character while a long title scrolls.
    public var scrollMilliseconds = Defaults.scrollMilliseconds
    /// Volume change per detent, in percent.
    public var volumeStep = Defaults.volumeStep
    /// Time shift per detent, in seconds.
    public var scrubStep = Defaults.scrubStep
  }
}
