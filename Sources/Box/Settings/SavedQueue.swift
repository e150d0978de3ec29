import Units

/// The queue as clients left it.
public struct SavedQueue: Equatable, Sendable {
  /// A station of the queue. How else it is tuned to, such as its password, the presets know.
  public struct Station: Equatable, Sendable {
    /// What it is called; empty where only its address is known.
    public var name: String
    /// Its address as it was given.
    public var url: StationAddress
    /// Whether a directory named the address, and not the owner.
    public var isFromDirectory: Bool

    /// A station with a name and an address, and who named it.
    public init(name: String, url: StationAddress, isFromDirectory: Bool = false) {
      (self.name, self.url, self.isFromDirectory) = (name, url, isFromDirectory)
    }
  }

  /// The stations in order; nil while nobody changed the queue, so that it is what the presets are.
  public var stations: [Station]?

  /// A queue; nil: it is what the presets are.
  public init(_ stations: [Station]? = nil) { self.stations = stations }

  private static let most = 10_000
  private static let format = "bakelite-queue 1"

  /// As the file has it (`CheckedText`).
  var text: String {
    let lines = stations?.prefix(Self.most).flatMap { station -> [String] in
      guard let url = CheckedText.value(station.url) else { return [] }
      let origin = station.isFromDirectory ? ["from=directory"] : []
      return ["name=\(CheckedText.value(station.name))"] + origin + ["url=\(url)"]
    }
    return CheckedText.text(Self.format, lines ?? ["presets=yes"])
  }

  /// Reads such text; nil where any of it is not as it was written.
  init?(_ bytes: [UInt8]) {
    guard let pairs = CheckedText.pairs(bytes, Self.format, most: 3 * Self.most + 2) else { return nil }
    var stations: [Station] = []
    var (name, isPresets, isFromDirectory) = ("", false, false)
    for (key, value) in pairs {
      switch key {
      case "presets": isPresets = value == "yes"
      case "name": name = value
      case "from": isFromDirectory = value == "directory"
      case "url":
        stations.append(Station(name: name, url: StationAddress(value), isFromDirectory: isFromDirectory))
        isFromDirectory = false
      // A later version of the same format may know more.
      default: break
      }
    }
    self.stations = isPresets ? nil : stations
  }
}

/// The file in which the queue lies; it is whole at any moment.
public struct QueueFile: Sendable {
  private let file: KeptFile

  /// Its path: `queue` in the folder that `[state] path` names.
  public var path: String { file.path }

  /// The file in a folder, which has to be there before it is written.
  public init(folder: String) {
    // Names and addresses have 1 MiB together (`StationQueue`).
    file = KeptFile(
      path: folder + "/queue", byteLimit: 2 << 20, damage: "the queue that it holds is damaged",
      consequence: "the queue begins as the presets")
  }

  /// The queue as it was left, or what the presets are; `problem` is a sentence where a file was there and could not be
  /// used. A broken file is set aside as `queue.broken`.
  public func load() -> (queue: SavedQueue, problem: SettingsError?) {
    let (queue, problem) = file.load { SavedQueue($0) }
    return (queue ?? SavedQueue(), problem)
  }

  /// Keeps a queue (`rename(2)`); not on a thread that may not wait.
  ///
  /// - Throws: `SettingsError` where it cannot be written; what was kept before then stays.
  public func save(_ queue: SavedQueue) throws(SettingsError) { try file.save(queue.text) }
}
