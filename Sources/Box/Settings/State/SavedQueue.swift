import Units

/// The file of the queue.
package typealias QueueFile = KeptFile<SavedQueue>

/// The queue with the changes that clients made.
public struct SavedQueue: KeptContent, Equatable {
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

  // All names and addresses together have at most 1 MiB (`StationQueue`).
  package static var place: KeptPlace {
    KeptPlace(
      name: "queue", byteLimit: 2 << 20, damage: "its queue is damaged",
      consequence: "the queue begins as the presets")
  }

  package var fileText: String {
    let lines = stations?.prefix(Self.maxLines).flatMap { station -> [String] in
      guard let url = CheckedText.value(station.url) else { return [] }
      let origin = station.isFromDirectory ? ["from=directory"] : []
      return ["name=\(CheckedText.value(station.name))"] + origin + ["url=\(url)"]
    }
    return CheckedText.text(Self.format, lines ?? ["presets=yes"])
  }

  package init?(_ bytes: [UInt8]) {
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
