/// Detected kind of the content of a station or file.
public enum ContentKind: Hashable, Sendable {
  /// MPEG audio or ADTS, possibly unproven.
  case audio
  /// A playlist of stations or files.
  case playlist(PlaylistKind)
  /// Audio in a container.
  case container(StreamContainer)
  /// An HLS playlist, either of a station's variants or of one variant's segments.
  case hls
  /// A recognised format that Bakelite does not play.
  case refused(RefusedKind)
  /// Content of zero bytes.
  case empty
  case unknown
}

/// The format of a playlist.
public enum PlaylistKind: String, Hashable, Sendable, CaseIterable {
  /// An INI file with lines such as `File1=…`.
  case pls
  /// One line for each entry.
  case m3u
  /// XML playlist of the Xiph foundation.
  case xspf
  /// XML playlist of Windows Media.
  case asx
  /// XML outlines, as exported by radio directories and feed readers.
  case opml
  /// A podcast feed, RSS or Atom.
  case feed
}

/// A recognised format that Bakelite does not play.
public enum RefusedKind: String, Hashable, Sendable {
  /// An HLS station with an encryption other than AES-128: SAMPLE-AES or DRM.
  case encryptedHls
  /// Extended HE-AAC (USAC).
  case xheAac
  /// AC-3 and E-AC-3.
  case dolby
  /// Apple Lossless.
  case alac
  /// Audio in a container, in an unsupported codec or variant of AAC.
  case otherCodec
  /// MPEG-DASH.
  case dash
  /// MP4 and QuickTime files with any content.
  case m4a
  /// Windows Media (ASF).
  case wma
  /// RIFF/WAVE, joined after its header.
  case wav
  /// Sony Wave64: WAV with 64-bit lengths.
  case wave64
  /// Sun or NeXT audio, Apple Core Audio, Creative Voice, NIST SPHERE.
  case sun, coreAudio, creativeVoice, sphere
  case avi
  case midi
  /// Ogg, joined after its headers, at a server that does not repeat them.
  case headlessOgg
  case musepack
  /// DSD: DSF and DSDIFF.
  case dsd
  /// Matroska, WebM.
  case webm
  case html
  /// gzip, bzip2, xz or Zstandard.
  case compressed
  /// ZIP.
  case archive
  /// PNG, JPEG or GIF.
  case image
  case pdf

  /// Name for messages, with its article.
  public var name: String {
    switch self {
    case .encryptedHls: "an HLS station that is encrypted by SAMPLE-AES or DRM"
    case .xheAac: "sound in xHE-AAC"
    case .dolby: "sound in Dolby Digital (AC-3 or E-AC-3)"
    case .alac: "sound in ALAC"
    case .otherCodec: "sound in a codec or a form that is not known here"
    case .dash: "a DASH station"
    case .m4a: "an MP4 file"
    case .wma: "Windows Media"
    case .wav: "a WAV stream without its beginning"
    case .wave64: "a Sony Wave64 file"
    case .sun: "a Sun audio file"
    case .coreAudio: "a Core Audio file"
    case .creativeVoice: "a Creative Voice file"
    case .sphere: "a NIST SPHERE file"
    case .avi: "an AVI film"
    case .midi: "a MIDI file"
    case .headlessOgg: "an Ogg stream whose server sends its headers only once"
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

  /// Reason for a message, such as "this is an HLS station, which Bakelite cannot play yet".
  public var sentence: String {
    switch self {
    case .html, .image, .pdf, .compressed, .archive: "this is \(name), not a station"
    default: "this is \(name), which Bakelite cannot play yet"
    }
  }
}

extension RefusedKind {
  /// Converts a refused codec in a container.
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
