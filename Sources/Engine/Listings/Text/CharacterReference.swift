import Framing

/// The character references of XML and the common ones of HTML 4, without "&" and ";".
enum CharacterReference {
  static let maxNameLength = 10

  /// Returns the character for a name such as "amp", "eacute", "#233" or "#xE9"; nil if unknown or invalid.
  static func scalar(_ name: [UInt8]) -> Unicode.Scalar? {
    guard name.first == UInt8(ascii: "#") else { return names[String(decoding: name, as: UTF8.self)] }
    let digits = name.dropFirst()
    let isHex = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    guard let code = UInt32(String(decoding: digits.dropFirst(isHex ? 1 : 0), as: UTF8.self), radix: isHex ? 16 : 10)
    else { return nil }
    // Feeds that use 128 to 159 mean windows-1252 characters.
    guard 0x80..<0xA0 ~= code else { return Unicode.Scalar(code) }
    return Unicode.Scalar(MetadataText.windows1252(UInt8(code)))
  }

  private static let names: [String: Unicode.Scalar] = {
    var names: [String: Unicode.Scalar] = [:]
    for (first, list) in runs {
      for (offset, name) in list.split(separator: " ").enumerated() where name != "-" {
        names[String(name)] = Unicode.Scalar(first + UInt32(offset))
      }
    }
    return names
  }()

  /// Names of consecutive characters from the given code point; "-" skips a character.
  private static let runs: [(UInt32, String)] = [
    (0x22, "quot - - - amp apos"), (0x3C, "lt - gt"),
    (0xA0, "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr"),
    (0xB0, "deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest"),
    (0xC0, "Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml"),
    (0xD0, "ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig"),
    (0xE0, "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml"),
    (0xF0, "eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml"),
    (0x152, "OElig oelig"), (0x160, "Scaron scaron"), (0x178, "Yuml"), (0x192, "fnof"),
    (0x2C6, "circ"), (0x2DC, "tilde"),
    (0x391, "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho"),
    (0x3A3, "Sigma Tau Upsilon Phi Chi Psi Omega"),
    (0x3B1, "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf"),
    (0x3C3, "sigma tau upsilon phi chi psi omega"),
    (0x2002, "ensp emsp"), (0x2009, "thinsp"), (0x200C, "zwnj zwj lrm rlm"), (0x2013, "ndash mdash"),
    (0x2018, "lsquo rsquo sbquo - ldquo rdquo bdquo - dagger Dagger bull"), (0x2026, "hellip"), (0x2030, "permil"),
    (0x2032, "prime Prime"), (0x2039, "lsaquo rsaquo"), (0x2044, "frasl"), (0x20AC, "euro"), (0x2122, "trade"),
    (0x2190, "larr uarr rarr darr harr"), (0x2212, "minus"), (0x221E, "infin"), (0x2260, "ne"), (0x2264, "le ge"),
    (0x2660, "spades - - clubs - hearts diams"),
  ]
}
