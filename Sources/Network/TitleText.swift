import CLinux
import Framing

/// Turns the bytes of titles into text that may be shown; the net thread's.
///
/// In the encoding that the station's settings name (iconv(3)), else as UTF-8 where they are, else as windows-1252.
struct TitleText: ~Copyable {
  private let converter: OpaquePointer?

  init(encoding: String?) { converter = encoding.flatMap { Self.isSafe($0) ? bk_charset_open($0) : nil } }

  deinit { if let converter { bk_charset_close(converter) } }

  /// All but ISO-2022-CN-EXT, which glibc's converter reads and writes past its buffers.
  private static func isSafe(_ encoding: String) -> Bool {
    let name = String(decoding: encoding.utf8.filter(WebAddress.isUnreserved), as: UTF8.self)
    return !name.filter { $0 != "-" && $0 != "_" && $0 != "." }.uppercased().contains("2022CNEXT")
  }

  /// Whether iconv(3) knows an encoding, and may be trusted with it.
  static func knows(_ encoding: String) -> Bool {
    guard isSafe(encoding), let converter = bk_charset_open(encoding) else { return false }
    bk_charset_close(converter)
    return true
  }

  /// The text of some bytes, without control and direction characters.
  func text(_ bytes: Span<UInt8>) -> String {
    guard let converter else { return DisplayText.clean(MetadataText.decode(bytes)) }
    let count = bytes.count
    let utf8 = [UInt8](unsafeUninitializedCapacity: count * 4) { out, used in
      used = bytes.withUnsafeBufferPointer { source in
        bk_charset_convert(converter, source.baseAddress, count, out.baseAddress, count * 4)
      }
    }
    return DisplayText.clean(String(decoding: utf8, as: UTF8.self))
  }
}

/// Whether the encoding of titles is one that this machine knows.
public func isKnownMetadataEncoding(_ name: String) -> Bool { TitleText.knows(name) }
