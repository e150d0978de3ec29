/// The value of an HTTP `Content-Type` header.
public enum ContentType {
  /// Returns the media type in lower case, without parameters and spaces; nil if empty.
  public static func parse(_ value: String) -> String? {
    let essence = value.prefix { $0 != ";" && $0 != "," }.filter { !$0.isWhitespace }
    return essence.isEmpty ? nil : essence.lowercased()
  }
}

enum ContentHint: Equatable {
  case audio
  case playlist(PlaylistKind)
  case container(StreamContainer)
  case refused(RefusedKind)
  case none

  init(contentType: String?) {
    switch contentType.flatMap(ContentType.parse) {
    case "audio/x-mpegurl", "audio/mpegurl", "application/x-mpegurl", "application/mpegurl",
      "application/vnd.apple.mpegurl", "application/vnd.apple.mpegurl.audio":
      self = .playlist(.m3u)
    case "audio/x-scpls", "audio/scpls", "audio/x-pls", "application/pls", "application/pls+xml",
      "application/x-scpls":
      self = .playlist(.pls)
    case "application/xspf+xml", "audio/xspf+xml": self = .playlist(.xspf)
    case "video/x-ms-asx", "video/x-ms-wvx", "audio/x-ms-wax": self = .playlist(.asx)
    case "text/x-opml", "text/x-opml+xml", "application/opml+xml": self = .playlist(.opml)
    case "audio/ogg", "application/ogg", "video/ogg", "audio/opus", "audio/vorbis", "audio/x-ogg":
      self = .container(.ogg)
    case "audio/flac", "audio/x-flac": self = .container(.flac)
    case "audio/mp4", "audio/x-m4a", "audio/m4a", "video/mp4", "video/quicktime": self = .refused(.m4a)
    case "audio/x-ms-wma", "video/x-ms-asf", "video/x-ms-wmv", "application/vnd.ms-asf": self = .refused(.wma)
    case "audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave": self = .container(.wav)
    case "audio/aiff", "audio/x-aiff", "audio/x-aifc": self = .container(.aiff)
    case "audio/webm", "video/webm", "video/x-matroska", "audio/x-matroska": self = .refused(.webm)
    case "video/mp2t": self = .audio
    case "application/dash+xml": self = .refused(.dash)
    case "text/html", "application/xhtml+xml": self = .refused(.html)
    case "application/rss+xml", "application/atom+xml": self = .playlist(.feed)
    case .some(let type): self = type.hasPrefix("audio/") ? .audio : .none
    case nil: self = .none
    }
  }

  init(path: String?) {
    let name = (path ?? "").prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    switch parts.count > 1 ? parts.last?.lowercased() : nil {
    case "mp3", "mp2", "mp1", "mpga", "aac", "aacp", "adts", "ts": self = .audio
    case "m3u", "m3u8": self = .playlist(.m3u)
    case "pls": self = .playlist(.pls)
    case "xspf": self = .playlist(.xspf)
    case "asx", "wax", "wvx": self = .playlist(.asx)
    case "opml": self = .playlist(.opml)
    case "ogg", "oga", "opus": self = .container(.ogg)
    case "flac": self = .container(.flac)
    case "m4a", "mp4", "m4b", "mov": self = .refused(.m4a)
    case "wma", "asf": self = .refused(.wma)
    case "wav": self = .container(.wav)
    case "aif", "aiff", "aifc": self = .container(.aiff)
    case "webm", "mka", "mkv": self = .refused(.webm)
    case "mpd": self = .refused(.dash)
    case "html", "htm": self = .refused(.html)
    default: self = .none
    }
  }
}
