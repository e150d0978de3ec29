/// Kind of the current source, chosen by a response head or an HLS list. A programme that has played keeps its kind.
enum ProgrammeSource {
  case undecided
  case live
  /// Audio with an end, but without a known relation of time and bytes: parts cannot be requested.
  case finite
  case file(FileSource)
  case segments(SegmentSource)

  var file: FileSource? { if case .file(let file) = self { file } else { nil } }

  var segments: SegmentSource? { if case .segments(let segments) = self { segments } else { nil } }

  var isLive: Bool {
    switch self {
    case .live: true
    case .segments(let segments): segments.isLive
    case .undecided, .finite, .file: false
    }
  }

  var hasEnd: Bool {
    switch self {
    case .undecided, .live: false
    case .finite, .file: true
    case .segments(let segments): !segments.isLive
    }
  }
}

enum RangeSupport {
  case parts
  /// The server does not support ranges.
  case whole
}
