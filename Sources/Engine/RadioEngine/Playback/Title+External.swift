import Framing
import Network

extension Title {
  /// Joins separate artist and track, or splits a track that contains both.
  init(_ title: ExternalTitle) {
    guard let artist = title.artist else {
      self.init(title.track, url: title.url)
      return
    }
    self.init(text: "\(artist) - \(title.track)", url: title.url, artist: artist, track: title.track)
  }
}
