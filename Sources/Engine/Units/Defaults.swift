/// The default values of engine, settings, panel and command line.
public enum Defaults {
  /// Blocks of 5,120 bytes in the ring.
  public static let blockCount = 1_200
  /// The target buffer of a live station, in seconds; playback may start earlier.
  public static let waitLive = 10.0
  /// The buffer of a file before playback starts, in seconds.
  public static let waitFile = 3.0
  /// The maximum time without data before a reconnect, in seconds.
  public static let dataTimeout = 10.0
  /// The maximum pause before a live station's connection is closed, in seconds.
  public static let pauseTimeout = 300.0
  /// The maximum time to try a station that has not played yet, in seconds.
  public static let firstPatience = 30.0

  /// Silence before each next step of the fallback chain, in seconds.
  public static let fallbackAfter = 15.0
  /// Steady audio of the first choice before the return from a fallback, in seconds.
  public static let returnAfter = 10.0

  /// The level of dead air, in dBFS.
  public static let deadAirDecibels = -50.0
  /// The duration of dead air before the fallback plays, in seconds.
  public static let deadAirSeconds = 20.0

  /// A card's period, in milliseconds.
  public static let periodMilliseconds = 50
  /// A card's buffer, in milliseconds.
  public static let bufferMilliseconds = 200
  /// The `buffer` of a snapserver as configured by Debian, in milliseconds.
  public static let snapcastMilliseconds = 1_000
  /// The address of a snapserver's JSON-RPC.
  public static let snapcastServer = "127.0.0.1:1705"
  /// The lease of the sound device for another program, in seconds.
  public static let leaseSeconds = 43_200
  /// The maximum volume at start, in percent.
  public static let startVolumeMax = 60

  /// The disk space that recordings leave free, in MiB.
  public static let recordingFloorMebibytes = 64

  /// Days between two updates of the station directory.
  public static let directoryUpdateDays = 7
  /// Days of failure before the directory is searched for a preset.
  public static let relocateAfterDays = 3

  /// The radio's control socket.
  public static let controlSocket = "/run/bakelite/socket"
  /// The address on which the web panel listens.
  public static let webAddress = "127.0.0.1:8080"
  /// The folder with the files of the web panel's page.
  public static let pageFolder = "/usr/share/bakelite/web"
  /// The file in which `bakelite web --set-password` stores the password's hash.
  public static let webPasswordFile = "/etc/credstore/bakelite-web.password"

  /// The time per character of a scrolling title, in milliseconds.
  public static let scrollMilliseconds = 350
  /// The volume change per detent, in percent.
  public static let volumeStep = 2
  /// The seek distance per detent, in seconds.
  public static let scrubStep = 10
}
