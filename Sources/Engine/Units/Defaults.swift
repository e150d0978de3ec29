/// The default values of engine, settings, panel and command line.
public enum Defaults {
  /// Blocks of 5,120 bytes in the ring.
  public static let blockCount = 1_200
  /// The buffer of a live station before sound starts, in seconds.
  public static let waitLive = 10.0
  /// The buffer of a file before sound starts, in seconds.
  public static let waitFile = 3.0
  /// The time without data before a reconnection, in seconds.
  public static let dataTimeout = 10.0
  /// The pause after which a live station's connection is closed, in seconds.
  public static let pauseTimeout = 300.0
  /// The time in which a station without sound is retried, in seconds.
  public static let firstPatience = 30.0

  /// A card's period, in milliseconds.
  public static let periodMilliseconds = 50
  /// A card's buffer, in milliseconds.
  public static let bufferMilliseconds = 200
  /// The `buffer` setting of Debian's snapserver, in milliseconds.
  public static let snapcastMilliseconds = 1_000
  /// The address of a snapserver's JSON-RPC.
  public static let snapcastServer = "127.0.0.1:1705"
  /// The duration for which another program gets the sound device, in seconds.
  public static let leaseSeconds = 43_200
  /// The maximum volume at start, in percent.
  public static let startVolumeMax = 60

  /// The disk space that recordings leave free, in MiB.
  public static let recordingFloorMebibytes = 64

  /// Days between two updates of the station directory.
  public static let directoryUpdateDays = 7
  /// Days of failure before a preset is looked up in the directory.
  public static let relocateAfterDays = 3

  /// The radio's control socket.
  public static let controlSocket = "/run/bakelite/socket"
  /// The address of the web panel.
  public static let webAddress = "127.0.0.1:8080"
  /// The folder of the web panel's page.
  public static let pageFolder = "/usr/share/bakelite/web"
  /// The file in which `bakelite web --set-password` stores the password's hash.
  public static let webPasswordFile = "/etc/credstore/bakelite-web.password"

  /// The time per character of a scrolling title, in milliseconds.
  public static let scrollMilliseconds = 350
  /// The volume change per detent, in percent.
  public static let volumeStep = 2
  /// The time change per detent, in seconds.
  public static let scrubStep = 10
}
