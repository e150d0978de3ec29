/// A title as the station sent it.
public struct Title: Equatable, Sendable {
  /// The complete text.
  public var text: String
  /// A web address for the title.
  public var url: String?
  /// The text before the dash; nil without a dash.
  public var artist: String?
  /// The text after the dash; the whole text without a dash.
  public var track: String

  /// Creates a title from its parts.
  public init(text: String, url: String?, artist: String?, track: String) {
    self.text = text
    self.url = url
    self.artist = artist
    self.track = track
  }

  /// Creates a title, and splits its text at the first dash between spaces.
  public init(_ text: String, url: String?) {
    let (artist, track) = TrackTitle.split(text)
    self.init(text: text, url: url, artist: artist, track: track)
  }
}
