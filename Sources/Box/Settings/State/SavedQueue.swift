import Units

/// The queue with the changes that clients made.
public struct SavedQueue: Equatable, Sendable {
  /// A station in the queue. The other settings, such as the password, are in the presets.
  public struct Station: Equatable, Sendable {
    /// The name; empty if only the address is known.
    public var name: String
    /// The address, as the client or the preset spelled it.
    public var url: StationAddress
    /// True if the address came from a directory, not from the owner.
    public var isFromDirectory: Bool

    /// Creates a station from a name, an address and its origin.
    public init(name: String, url: StationAddress, isFromDirectory: Bool = false) {
      (self.name, self.url, self.isFromDirectory) = (name, url, isFromDirectory)
    }
  }

  /// The stations in order; nil if no client has changed the queue, which then equals the presets.
  public var stations: [Station]?

  /// Creates a queue. `stations`: nil for a queue that equals the presets.
  public init(_ stations: [Station]? = nil) { self.stations = stations }

  private static let maxLines = 10_000
  private static let format = "bakelite-queue 1"

  var text: String {
    let lines = stations?.prefix(Self.maxLines).flatMap { station -> [String] in
      guard let url = CheckedText.value(station.url) else { return [] }
      let origin = station.isFromDirectory ? ["from=directory"] : []
      return ["name=\(CheckedText.value(station.name))"] + origin + ["url=\(url)"]
    }
    return CheckedText.text(Self.format, lines ?? ["presets=yes"])
  }

  init?(_ bytes: [UInt8]) {
    guard let pairs = CheckedText.pairs(bytes, Self.format, most: 3 * Self.maxLines + 2) else { return nil }
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
      // A later version of the format may have more keys.
      default: break
      }
    }
    self.stations = isPresets ? nil : stations
  }
}

/// The file of the queue, replaced atomically.
public struct QueueFile: Sendable {
  private let file: KeptFile

  /// The path: `queue` in the folder of `[state] path`.
  public var path: String { file.path }

  /// Uses the file in a folder, which must exist before `save`.
  public init(folder: String) {
    // All names and addresses together have at most 1 MiB (`StationQueue`).
    file = KeptFile(
      path: folder + "/queue", byteLimit: 2 << 20, damage: "its queue is damaged",
      consequence: "the queue begins as the presets")
  }

  /// Reads the queue, which equals the presets if no usable file exists. A broken file is renamed to `queue.broken`,
  /// and `problem` describes the fault.
  public func load() -> (queue: SavedQueue, problem: SettingsError?) {
    let (queue, problem) = file.load { SavedQueue($0) }
    return (queue ?? SavedQueue(), problem)
  }

  /// Writes a queue (`rename(2)`); if it throws, the old file stays. Only for threads that may block.
  public func save(_ queue: SavedQueue) throws(SettingsError) { try file.save(queue.text) }
}
