import RadioEngine

extension String {
  /// The text as one shell word: bare if it is harmless, otherwise in single quotes (POSIX.1-2024, XCU 2.2.2).
  /// Unprintable characters become "?".
  var shellWord: String {
    let isPlain: (Unicode.Scalar) -> Bool = { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789=,.:+-@/_".unicodeScalars.contains(scalar))
    }
    return !isEmpty && unicodeScalars.allSatisfy(isPlain) ? self : shellQuoted
  }

  var shellQuoted: String {
    var word = "'"
    for scalar in unicodeScalars { word += scalar == "'" ? "'\\''" : scalar.isUnshowable ? "?" : String(scalar) }
    return word + "'"
  }
}
