import Units

/// The paths of an installed box.
public enum InstalledPaths {
  /// The settings.
  public static let settings = "/etc/bakelite/bakelite.toml"
  /// The stations.
  public static let stations = "/etc/bakelite/stations.toml"
  /// The stations in the package.
  public static let packagedStations = "/usr/share/bakelite/stations.toml"
  /// The folders with board files: the owner's, then the package's.
  public static let boards = ["/etc/bakelite/boards", "/usr/share/bakelite/boards"]
  /// The folder of the saved state.
  public static let state = "/var/lib/bakelite"
  /// The folder of recordings and saved songs.
  public static let recordings = "/var/lib/bakelite/recordings"
  /// The copy of the station directory.
  public static let directory = "/var/lib/bakelite/directory"
  /// The named pipe for snapserver.
  public static let snapcastPipe = "/run/bakelite-snapcast/feed"
  /// The socket of the control protocol.
  public static let socket = Defaults.controlSocket
}
