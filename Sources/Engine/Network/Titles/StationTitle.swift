import Framing

/// A title that begins with a packet of the stream.
struct StationTitle: Equatable {
  var text: String
  var url: String?
  var origin = Origin.stream
  /// A mark of an ad, sent instead of a title; the text is then empty.
  var ad: AdMark?

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
  /// Creates a mark of an ad.
  init(_ ad: AdMark) { self.init(text: "", ad: ad) }

  /// Creates an empty title from tags without a title, even if the tags have an artist.
  init(_ tags: StreamTags) {
    self.init(artist: tags.title == nil ? nil : tags.artist, track: tags.title ?? "", from: .tags)
  }

  init(artist: String?, track: String, url: String? = nil, from origin: Origin = .list) {
    self.init(text: (artist.map { $0 + " - " } ?? "") + track, url: url, origin: origin)
  }
}
