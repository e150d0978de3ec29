import CLinux
import Framing

/// Converts text in a named encoding to UTF-8 (iconv(3)). One thread at a time.
package final class TextConverter {
  private let converter: OpaquePointer
  /// Bytes of an incomplete character at the end of the last part.
  private var rest: [UInt8] = []
  private var isFirst = true

  /// Nil if iconv(3) does not know the encoding, or its converter is unsafe.
  package init?(_ encoding: String) {
    guard Self.isSafe(encoding), let converter = bk_charset_open(encoding) else { return nil }
    self.converter = converter
  }

  deinit { bk_charset_close(converter) }

  /// False for ISO-2022-CN-EXT: glibc's converter reads and writes past its buffers.
  private static func isSafe(_ encoding: String) -> Bool {
    // glibc ignores other characters of a name.
    let name = encoding.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }
    return !String(String.UnicodeScalarView(name)).uppercased().contains("2022CNEXT")
  }

  /// Converts a whole text. Invalid bytes become U+FFFD.
  package func utf8(_ bytes: Span<UInt8>) -> [UInt8] {
    (rest, isFirst) = ([], true)
    return convert(bytes, rest: nil)
  }

  /// Converts the next part of a text. An incomplete character at its end waits for the next part.
  func utf8(part bytes: [UInt8]) -> [UInt8] {
    let all = rest + bytes
    var restCount = 0
    let text = convert(all.span, rest: &restCount)
    rest = Array(all.suffix(restCount))
    return text
  }

  private func convert(_ bytes: Span<UInt8>, rest: UnsafeMutablePointer<Int>?) -> [UInt8] {
    let count = bytes.count
    guard count > 0 else { return [] }
    defer { isFirst = false }
    return [UInt8](unsafeUninitializedCapacity: count * 4) { out, used in
      used = bytes.withUnsafeBufferPointer { source in
        bk_charset_convert(converter, isFirst, source.baseAddress, count, out.baseAddress, count * 4, rest)
      }
    }
  }
}
