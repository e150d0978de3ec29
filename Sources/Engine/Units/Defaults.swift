/// What holds where nobody says otherwise: engine, settings, panel and command line begin with these.
public enum Defaults {
  /// Blocks of 5,120 bytes that hold the programme.
  public static let blockCount = 1_200
  /// What is held of a live station, in seconds.
  public static let waitLive = 10.0
  /// What is held of a file before it sounds, in seconds.
  public static let waitFile = 3.0
  /// So long without data, and the connection is made anew, in seconds.
  public static let dataTimeout = 10.0
  /// So long paused, and the connection of a live station is closed, in seconds.
  public static let pauseTimeout = 300.0
  /// So long a station that has not played yet is tried, in seconds.
  public static let firstPatience = 30.0

  /// What a card is given at once, in milliseconds.
  public static let periodMilliseconds = 50
  /// What a card holds, in milliseconds.
  public static let bufferMilliseconds = 200
  /// A snapserver's `buffer` as Debian has it, in milliseconds.
  public static let snapcastMilliseconds = 1_000
  /// Where a snapserver's JSON-RPC is.
  public static let snapcastServer = "127.0.0.1:1705"
  /// A program that asks for the sound has it for so long, in seconds.
  public static let leaseSeconds = 43_200
  /// The greatest volume at start, in percent.
  public static let startVolumeMax = 60

  /// What a recording leaves free on its disk, in MiB.
  public static let recordingFloorMebibytes = 64

  /// The copy of the station directory is fetched anew after so many days.
  public static let directoryUpdateDays = 7
  /// A preset that fails for so many days is looked up in the directory.
  public static let relocateAfterDays = 3

  /// The radio's control socket.
  public static let controlSocket = "/run/bakelite/socket"
  /// Where `bakelite web` serves the panel.
  public static let webAddress = "127.0.0.1:8080"
  /// The folder of the web panel's page.
  public static let pageFolder = "/usr/share/bakelite/web"
  /// Where `bakelite web --set-password` writes the hash of a password.
  public static let webPasswordFile = "/etc/credstore/bakelite-web.password"

  /// A long title moves by a character in so many milliseconds.
  public static let scrollMilliseconds = 350
  /// A click of the knob, in percent.
  public static let volumeStep = 2
  /// A click of the knob in time, in seconds.
  public static let scrubStep = 10
}
