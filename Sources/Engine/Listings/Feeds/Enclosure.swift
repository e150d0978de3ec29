import Framing

struct Enclosure {
  /// The raw values order the cases, best first.
  enum Suitability: Int {
    case playable
    /// Audio in an unsupported format, or possibly audio.
    case audible
  }

  private(set) var reference: Reference
  let suitability: Suitability

  /// Classifies a file by its type, or by its address if the type is inconclusive; nil if it is not audio.
  /// `isNamed`: true if the feed presents the file as the episode's audio; an inconclusive type and address then
  /// suffice.
  init?(_ reference: Reference, type: Substring?, isNamed: Bool) {
    guard let suitability = Self.suitability(type: type, path: reference.text, isNamed: isNamed) else { return nil }
    self.reference = reference
    self.suitability = suitability
  }

  func found(at address: Reference) -> Enclosure {
    var found = self
    found.reference = address
    return found
  }

  private static func suitability(type: Substring?, path: String, isNamed: Bool) -> Suitability? {
    let essence = type.flatMap { ContentType.parse(String($0)) }
    let isFilm = essence?.hasPrefix("video/") ?? false
    switch ContentSniffer.declaredKind(contentType: essence, path: nil) {
    case .audio: return .playable
    case .container where !isFilm: return .playable
    case .refused(let kind) where !isFilm && kind.isAudio: return .audible
    default: break
    }
    switch ContentSniffer.declaredKind(contentType: nil, path: path) {
    case .audio: return .playable
    case .container where !isFilm: return .playable
    case .refused(let kind) where !isFilm && kind.isAudio: return .audible
    case .unknown where isNamed && !hasPicture(path) && essence.map(isUninformative) ?? true: return .audible
    default: return nil
    }
  }

  private static func isUninformative(_ essence: String) -> Bool {
    ["application/octet-stream", "binary/octet-stream", "application/force-download", "audio"].contains(essence)
  }

  /// True if the path has the suffix of a picture, film, text or archive.
  private static func hasPicture(_ path: String) -> Bool {
    let path = path[...].asciiLowercased.prefix { $0 != "?" && $0 != "#" }
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".pdf", ".m4v", ".avi", ".mpg", ".mpeg", ".txt", ".zip"]
      .contains { path.hasSuffix($0) }
  }
}

extension RefusedKind {
  fileprivate var isAudio: Bool {
    switch self {
    case .m4a, .wma, .wav, .webm, .musepack, .dsd: true
    default: false
    }
  }
}
