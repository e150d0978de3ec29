import PanelWords
import Units

/// What `bakelite.toml` says of the box; each default is what `config/bakelite.toml` documents.
public struct Configuration: Equatable, Sendable {
  /// The board: the name of a file in `boards/` without ".toml".
  public var board = "raspberry-pi-pcm5102-lcd2004"
  /// A zone of the tz database; empty: the machine's own.
  public var timezone = "Europe/Berlin"
  /// The language of the display.
  public var language = Language.english
  /// Where the sound goes.
  public var audio = Audio()
  /// The snapserver that sound goes to, or whose sound this box plays.
  public var snapcast = SnapcastSettings()
  /// What is held of a programme.
  public var buffer = Buffer()
  /// How packets become sound.
  public var decoding = DecodingSettings()
  /// Who may control the radio.
  public var control = Control()
  /// The front panel.
  public var panel = Panel()
  /// Recordings and kept songs.
  public var recording = Recording()
  /// The copy of the station directory.
  public var directory = Directory()
  /// The broker of Home Assistant.
  public var mqtt = MqttSettings()
  /// The web panel.
  public var web = WebSettings()
  /// The folder of the saved state.
  public var statePath = InstalledPaths.state

  /// The defaults.
  public init() {}

  /// The ALSA device that a box plays to: its board's card, where the settings name no device.
  public func device(on board: Board) -> String {
    audio.device == "default" && !board.sound.card.isEmpty ? "plughw:CARD=\(board.sound.card)" : audio.device
  }

  /// `[audio]`: where the sound goes.
  public struct Audio: Equatable, Sendable {
    /// What the box is for sound.
    public enum Output: String, Sendable, CaseIterable {
      /// A radio with a card.
      case alsa
      /// A radio whose sound a snapserver brings to all rooms.
      case snapcast
      /// A room of another box's snapserver: it has no radio of its own.
      case room
    }

    /// What the box is for sound.
    public var output = Output.alsa
    /// Where the volume is set.
    public enum Volume: String, Sendable, CaseIterable {
      /// The card's mixer where it has one, else in software.
      case auto
      /// The card's mixer.
      case hardware
      /// In the samples.
      case software
    }

    /// The ALSA device's name.
    public var device = "default"
    /// What is written at once, in milliseconds.
    public var periodMilliseconds = Defaults.periodMilliseconds
    /// What the card holds, in milliseconds; two periods or more.
    public var bufferMilliseconds = Defaults.bufferMilliseconds
    /// Where the volume is set.
    public var volume = Volume.auto
    /// The greatest volume at start, in percent.
    public var startVolumeMax = Defaults.startVolumeMax
    /// Whether both channels are mixed into one.
    public var isMono = false
  }

  /// `[buffer]`: what is held of a programme.
  public struct Buffer: Equatable, Sendable {
    /// When a live station begins to sound.
    public enum Start: String, Sendable, CaseIterable {
      /// As soon as one second is held.
      case adaptive
      /// Not before the wait time is held.
      case fixed
    }

    /// Blocks of 5,120 bytes.
    public var blocks = Defaults.blockCount
    /// What is held of a live station, in seconds.
    public var waitLive = Defaults.waitLive
    /// What is held of a file before it sounds, in seconds.
    public var waitFile = Defaults.waitFile
    /// When a live station begins to sound.
    public var start = Start.adaptive
    /// What of a file comes at full speed, in seconds.
    public var throttleBypass = 0.0
    /// What is left held at "live", in seconds; zero: what the adaptive start aims at.
    public var liveSafety = 0.0
    /// So long without data, and the connection is made anew, in seconds.
    public var dataTimeout = Defaults.dataTimeout
    /// So long paused, and the connection is closed, in seconds; zero: when the buffer is full.
    public var pauseTimeout = Defaults.pauseTimeout
    /// Whether a paused station goes on into a full buffer, which drops the oldest.
    public var isContinuous = false
  }

  /// `[control]`: who may control the radio.
  public struct Control: Equatable, Sendable {
    /// The Unix socket's path; empty: none.
    public var socket = InstalledPaths.socket
    /// Where TCP is served; nil: nowhere.
    public var listen: ListenAddress?
    /// The file whose first line is the password, or the name of a credential of the service; empty: none.
    public var passwordFile = ""

    /// The password that clients of TCP tell; nil where no file is named.
    public func password() throws(SettingsError) -> String? {
      guard !passwordFile.isEmpty else { return nil }
      let line = try SmallFile.secret(passwordFile)
      guard !line.isEmpty else { throw SettingsError(passwordFile, "its first line, the password, is empty") }
      return line
    }
  }

  /// `[recording]`: recordings and kept songs.
  public struct Recording: Equatable, Sendable {
    /// The folder that they lie in.
    public var path = InstalledPaths.recordings
    /// What is left free on its disk, in MiB.
    public var floorMebibytes = Defaults.recordingFloorMebibytes
    /// So much more is kept of a song before it began and after it ended, in seconds.
    public var margin = 0.0
  }

  /// `[directory]`: the copy of the station directory, and what is done with it.
  public struct Directory: Equatable, Sendable {
    /// What is done where a preset's station has moved (G5).
    public enum Relocation: String, Sendable, CaseIterable {
      /// The owner is asked.
      case ask
      /// A new address is taken where the directory's id and the homepage prove it; else the owner is asked.
      case auto
      /// Nothing.
      case never
    }

    /// The file that the copy lies in.
    public var path = InstalledPaths.directory
    /// The copy is fetched anew after so many days; zero: never by itself.
    public var updateDays = Defaults.directoryUpdateDays
    /// What is done where a preset's station has moved.
    public var relocate = Relocation.ask
    /// A preset that fails for so many days is looked up.
    public var relocateAfterDays = Defaults.relocateAfterDays
    /// Whether the directory is told which of its stations are played.
    public var countsClicks = false
  }

  /// `[panel]`: the front panel.
  public struct Panel: Equatable, Sendable {
    /// Whether a stopped radio shows the time.
    public var hasIdleClock = true
    /// A long title moves by a character in so many milliseconds.
    public var scrollMilliseconds = Defaults.scrollMilliseconds
    /// A click of the knob, in percent.
    public var volumeStep = Defaults.volumeStep
    /// A click of the knob in time, in seconds.
    public var scrubStep = Defaults.scrubStep
  }
}
