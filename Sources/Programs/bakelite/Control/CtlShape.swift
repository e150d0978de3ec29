/// The shape of a command's JSON: a list for a command that lists, otherwise one object. The number of rows changes
/// nothing.
enum CtlShape: Equatable {
  case object
  /// `starts`: keys that begin an object of the list; empty if each object has the same keys.
  case list(starts: Set<String>)

  /// The shape of a command with its protocol name and arguments.
  init(_ words: [String]) {
    let name = words.first ?? ""
    let first = words.dropFirst().first
    switch name {
    case "radio_setting" where first == "list": self = .list(starts: ["key"])
    case "radio_alarm" where first == nil || first == "list": self = .list(starts: ["alarm", "ringing"])
    case "radio_alarm" where first == "log": self = .list(starts: ["report"])
    case "radio_relocate" where first == nil: self = .list(starts: ["preset"])
    case "count" where words.contains("group"): self = .list(starts: [])
    default: self = Self.starts[name].map { .list(starts: $0) } ?? .object
    }
  }

  /// Keys whose value in an object is always a list.
  static let severalValued: Set = ["suffix", "mime_type"]

  private static let songs: Set = ["file", "directory", "playlist"]
  private static let starts: [String: Set<String>] = [
    "channels": ["channel"], "commands": ["command"], "decoders": ["plugin"], "find": songs, "idle": ["changed"],
    "list": [], "listall": songs, "listallinfo": songs, "listfiles": songs, "listmounts": ["mount"],
    "listneighbors": ["neighbor"], "listpartitions": ["partition"], "listplaylist": songs, "listplaylistinfo": songs,
    "listplaylists": songs, "lsinfo": songs, "notcommands": ["command"], "outputs": ["outputid"], "playlist": [],
    "playlistfind": songs, "playlistid": songs, "playlistinfo": songs, "playlistsearch": songs, "plchanges": songs,
    "plchangesposid": ["cpos"], "radio_browse": ["file", "genre", "country"], "radio_episodes": ["episode"],
    "radio_find": ["file"], "radio_recordings": ["recording"], "radio_room": ["room"], "radio_source": ["source"],
    "readmessages": ["channel"],
    "search": songs, "tagtypes": ["tagtype"], "urlhandlers": ["handler"],
  ]
}
