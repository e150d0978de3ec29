import CLinux
import Framing

/// Makes UTF-8 of text in a named encoding (iconv(3)); one thread's.
final class TextConverter {
  private let converter: OpaquePointer

  /// A converter from an encoding; nil where iconv(3) does not know it, or is not trusted with it.
  init?(_ encoding: String) {
    guard Self.isSafe(encoding), let converter = bk_charset_open(encoding) else { return nil }
    self.converter = converter
  }

  deinit { bk_charset_close(converter) }

  /// All but ISO-2022-CN-EXT, which glibc's converter reads and writes past its buffers.
  private static func isSafe(_ encoding: String) -> Bool {
    // glibc leaves other characters of a name out before it looks for it.
    let name = encoding.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }
    return !String(String.UnicodeScalarView(name)).uppercased().contains("2022CNEXT")
  }

  /// The text of some bytes, with U+FFFD for what cannot be read.
  func utf8(_ bytes: Span<UInt8>) -> [UInt8] {
    let count = bytes.count
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count * 4) { out, used in
      used = bytes.withUnsafeBufferPointer { source in
        bk_charset_convert(converter, source.baseAddress, count, out.baseAddress, count * 4)
      }
    }
  }
}
