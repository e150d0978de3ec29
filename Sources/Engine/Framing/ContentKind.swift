/// What a station or a file turns out to be.
public enum ContentKind: Hashable, Sendable {
  /// MPEG audio or ADTS, as far as anyone can tell.
  case audio
  /// A list of stations or files.
  case playlist(PlaylistKind)
  /// MPEG audio or AAC in a container.
  case container(StreamContainer)
  /// A list of HLS: of a station's variants, or of the segments of one.
  case hls
  /// Something with a name that Bakelite does not play.
  case refused(RefusedKind)
  /// No bytes at all.
  case empty
  /// Nothing that has a name here.
  case unknown
}

/// The format of a playlist.
public enum PlaylistKind: String, Hashable, Sendable, CaseIterable {
  /// An INI file of `File1=…`.
  case pls
  /// A line for each entry.
  case m3u
  /// XML of the Xiph foundation.
  case xspf
  /// XML of Windows Media.
  case asx
  /// XML outlines, as radios and feed readers give out what they know.
  case opml
  /// A podcast: RSS or Atom.
  case feed
}

/// What is recognised and not played.
public enum RefusedKind: String, Hashable, Sendable {
  /// An HLS station that is encrypted in another way than by AES-128: SAMPLE-AES, or a system of rights (DRM).
  case encryptedHls
  /// Extended HE-AAC: USAC.
  case xheAac
  /// AC-3 and E-AC-3.
  case dolby
  /// Apple Lossless.
  case alac
  /// Sound in a container, of another codec or of a form of AAC that is not known here.
  case otherCodec
  /// MPEG-DASH.
  case dash
  /// MP4 and QuickTime files, whatever is in them.
  case m4a
  /// Windows Media: ASF.
  case wma
  /// RIFF/WAVE without its beginning.
  case wav
  /// AIFF and AIFF-C.
  case aiff
  /// Musepack.
  case musepack
  /// DSD: DSF and DSDIFF.
  case dsd
  /// Matroska, WebM.
  case webm
  /// A web page.
  case html
  /// gzip, bzip2, xz or Zstandard.
  case compressed
  /// ZIP.
  case archive
  /// PNG, JPEG or GIF.
  case image
  /// PDF.
  case pdf

  /// What a person calls it, with its article.
  public var name: String {
    switch self {
    case .encryptedHls: "an HLS station that is encrypted by SAMPLE-AES or DRM"
    case .xheAac: "sound in xHE-AAC"
    case .dolby: "sound in Dolby Digital"
    case .alac: "sound in ALAC"
    case .otherCodec: "sound in a codec or a form that is not known here"
    case .dash: "a DASH station"
    case .m4a: "an MP4 file"
    case .wma: "Windows Media"
    case .wav: "a WAV stream without its beginning"
    case .aiff: "an AIFF file"
    case .musepack: "a Musepack file"
    case .dsd: "a DSD file"
    case .webm: "Matroska or WebM"
    case .html: "a web page"
    case .compressed: "a compressed file"
    case .archive: "a ZIP archive"
    case .image: "a picture"
    case .pdf: "a PDF document"
    }
  }

  /// Why it is refused, such as "this is an HLS station, which Bakelite cannot play yet".
  public var sentence: String {
    switch self {
    case .html, .image, .pdf, .compressed, .archive: "this is \(name), not a station"
    default: "this is \(name), which Bakelite cannot play yet"
    }
  }
}

extension RefusedKind {
  /// Sound in a container that is recognised and not played.
  public init(_ codec: RefusedCodec) {
    self =
      switch codec {
      case .xheAac: .xheAac
      case .ac3, .eac3: .dolby
      case .encrypted: .encryptedHls
      case .alac: .alac
      case .opus, .flac, .shortFrames, .unknownAac, .other: .otherCodec
      }
  }
}
