/// What kind of source is on. It is decided by the head of an answer, once: what has played stays what it was.
enum Source {
  /// No answer has told yet.
  case undecided
  /// A station, which never ends.
  case live
  /// Sound with an end, and nothing is known of where its seconds lie: no part of it can be asked for.
  case finite
  /// A file.
  case file(FileSource)
  /// The segments of an HLS station.
  case segments(SegmentSource)

  /// The file; nil where it is none.
  var file: FileSource? { if case .file(let file) = self { file } else { nil } }

  /// The segments; nil where it has none.
  var segments: SegmentSource? { if case .segments(let segments) = self { segments } else { nil } }

  /// Whether it is a station.
  var isLive: Bool {
    switch self {
    case .live: true
    case .segments(let segments): segments.isLive
    case .undecided, .finite, .file: false
    }
  }

  /// Whether it is known to have an end.
  var hasEnd: Bool {
    switch self {
    case .undecided, .live: false
    case .finite, .file: true
    case .segments(let segments): !segments.isLive
    }
  }
}

/// Whether parts of what an address names can be asked for.
enum Ranges {
  case parts
  /// Its server knows no parts: it is asked for as a whole.
  case whole
}
