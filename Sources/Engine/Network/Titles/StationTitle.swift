import Framing

/// A title that begins with a packet of the stream.
struct StationTitle: Equatable {
  var text: String
  var url: String?
  var origin = Origin.stream

  enum Origin {
    /// ICY.
    case stream
    /// The list of an HLS station.
    case list
    /// Tags of a container, where a song begins.
    case tags
    /// Tags of an HLS segment, which each segment may repeat.
    case segment
  }
}

extension StationTitle {
  /// Creates an empty title from tags without a title, even if the tags have an artist.
  init(_ tags: StreamTags) {
    self.init(artist: tags.title == nil ? nil : tags.artist, track: tags.title ?? "", from: .tags)
  }

  init(artist: String?, track: String, url: String? = nil, from origin: Origin = .list) {
    self.init(text: (artist.map { $0 + " - " } ?? "") + track, url: url, origin: origin)
  }
}
