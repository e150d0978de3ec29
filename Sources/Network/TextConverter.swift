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
    let name = String(decoding: encoding.utf8.filter(WebAddress.isUnreserved), as: UTF8.self)
    return !name.filter { $0 != "-" && $0 != "_" && $0 != "." }.uppercased().contains("2022CNEXT")
  }

  /// The text of some bytes, with U+FFFD for what cannot be read.
  func utf8(_ bytes: Span<UInt8>) -> [UInt8] {
    let count = bytes.count
    return [UInt8](unsafeUninitializedCapacity: count * 4) { out, used in
      used = bytes.withUnsafeBufferPointer { source in
        bk_charset_convert(converter, source.baseAddress, count, out.baseAddress, count * 4)
      }
    }
  }
}
