import CLinux

/// Returns an error number in words (strerror_r(3)), with a small first letter unless `isCapitalized` is true.
public func errnoText(_ errno: Int32, isCapitalized: Bool = false) -> String {
  var buffer = [CChar](repeating: 0, count: 128)
  bk_error_words(errno, &buffer, buffer.count)
  let words = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  return isCapitalized ? words : words.prefix(1).lowercased() + words.dropFirst()
}
