import Framing

/// Something to be fetched that belongs to an episode.
struct Enclosure {
  /// How well it suits, the best first.
  enum Suitability: Int {
    /// Bakelite plays it.
    case playable
    /// Audio of another kind, or perhaps audio.
    case audible
  }

  /// Where it is.
  private(set) var reference: Reference
  /// What it is good for.
  let suitability: Suitability

  /// An enclosure by its type, else by its address; nil where it is no audio.
  ///
  /// - Parameter isNamed: It is said to belong to the episode's sound, even if its type and address do not tell.
  init?(_ reference: Reference, type: Substring?, isNamed: Bool) {
    guard let suitability = Self.suitability(type: type, path: reference.text, isNamed: isNamed) else { return nil }
    self.reference = reference
    self.suitability = suitability
  }

  /// The same at the address that its reference means.
  func found(at address: Reference) -> Enclosure {
    var found = self
    found.reference = address
    return found
  }

  private static func suitability(type: Substring?, path: String, isNamed: Bool) -> Suitability? {
    let essence = type.flatMap { ContentType.parse(String($0)) }
    let isFilm = essence?.hasPrefix("video/") ?? false
    switch ContentSniffer.promise(contentType: essence, path: nil) {
    case .audio: return .playable
    case .container where !isFilm: return .playable
    case .refused(let kind) where !isFilm && kind.isAudio: return .audible
    default: break
    }
    switch ContentSniffer.promise(contentType: nil, path: path) {
    case .audio: return .playable
    case .container where !isFilm: return .playable
    case .refused(let kind) where !isFilm && kind.isAudio: return .audible
    case .unknown where isNamed && !hasPicture(path) && essence.map(tellsNothing) ?? true: return .audible
    default: return nil
    }
  }

  private static func tellsNothing(_ essence: String) -> Bool {
    ["application/octet-stream", "binary/octet-stream", "application/force-download", "audio"].contains(essence)
  }

  /// Whether an address is that of a picture, a film or a text.
  private static func hasPicture(_ path: String) -> Bool {
    let path = path[...].asciiLowercased.prefix { $0 != "?" && $0 != "#" }
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".pdf", ".m4v", ".avi", ".mpg", ".mpeg", ".txt", ".zip"]
      .contains { path.hasSuffix($0) }
  }
}

extension RefusedKind {
  /// Whether it is a kind of audio, if not of Bakelite's.
  fileprivate var isAudio: Bool {
    switch self {
    case .m4a, .wma, .wav, .aiff, .webm, .musepack, .dsd: true
    default: false
    }
  }
}
