import CFaad
import CFlac
import CMad
import COpus
import CVorbis

/// A decoder library. Any thread.
public enum DecoderLibrary: String, Sendable {
  case mad = "libmad"
  case mpg123 = "libmpg123"
  case faad = "libfaad"
  case vorbis = "libvorbis"
  case opus = "libopus"
  case flac = "libFLAC"

  /// The loaded library's version, such as 1.3.7; nil if the library has no version call (libmpg123 1.31).
  public var version: String? {
    guard let words else { return nil }
    let number = String(cString: words).drop { !$0.isNumber }.prefix { $0 != " " }
    return number.isEmpty ? nil : String(number)
  }

  /// The library's version text; the shims read `mad_version` and `FLAC__VERSION_STRING`.
  private var words: UnsafePointer<CChar>? {
    switch self {
    case .mad: return bk_mad_version()
    case .mpg123: return nil
    case .faad:
      var name: UnsafeMutablePointer<CChar>?
      return NeAACDecGetVersion(&name, nil) == 0 ? UnsafePointer(name) : nil
    case .vorbis: return vorbis_version_string()
    case .opus: return opus_get_version_string()
    case .flac: return bk_flac_version()
    }
  }
}
