import Recordings

extension Event {
  init(_ event: RecordingEvent) {
    switch event {
    case .recordingStopped(let path, let bytes, let error):
      self = .recordingStopped(path: path, bytes: bytes, error: error)
    case .songKept(let song, let bytes, let error): self = .songKept(song, bytes: bytes, error: error)
    }
  }
}
