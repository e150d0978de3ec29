/// Splits a stream's title into artist and title.
public enum TrackTitle {
  /// Splits "Artist - Title" at the first dash (hyphen, en or em dash) between spaces. Without a dash, `artist` is nil.
  public static func split(_ text: String) -> (artist: String?, track: String) {
    let scalars = text.unicodeScalars
    var before: Unicode.Scalar?
    for index in scalars.indices {
      let after = scalars.index(after: index)
      if before == " ", after < scalars.endIndex, scalars[after] == " ", isDash(scalars[index]) {
        let artist = trimmed(scalars[..<index])
        let track = trimmed(scalars[after...])
        if !artist.isEmpty, !track.isEmpty { return (artist, track) }
      }
      before = scalars[index]
    }
    return (nil, trimmed(scalars[...]))
  }

  private static func isDash(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "\u{2013}" || scalar == "\u{2014}"
  }

  private static func trimmed(_ scalars: Substring.UnicodeScalarView) -> String {
    var scalars = scalars
    while scalars.first == " " { scalars.removeFirst() }
    while scalars.last == " " { scalars.removeLast() }
    return String(scalars)
  }
}
