/// The character references of XML and the common ones of HTML, without "&" and ";".
package enum CharacterReference {
  /// Maximum length of a name in bytes.
  package static let maxNameLength = 10

  /// Returns the character for a name such as "amp", "eacute", "#233" or "#xE9"; nil if unknown or invalid.
  package static func scalar(_ name: [UInt8]) -> Unicode.Scalar? {
    guard name.first == UInt8(ascii: "#") else { return names[String(decoding: name, as: UTF8.self)] }
    let isHex = name.count > 1 && name[1] | 0x20 == UInt8(ascii: "x")
    let digits = String(decoding: name.dropFirst(isHex ? 2 : 1), as: UTF8.self)
    // The conversion accepts a sign too.
    guard let first = digits.first, first.isHexDigit, let code = UInt32(digits, radix: isHex ? 16 : 10) else {
      return nil
    }
    // Feeds that use 128 to 159 mean windows-1252 characters.
    guard 0x80..<0xA0 ~= code else { return Unicode.Scalar(code) }
    return Unicode.Scalar(MetadataText.windows1252(UInt8(code)))
  }

  /// Returns the text with its references decoded. Unknown references remain, such as "&T;" in "AT&T;".
  package static func decoded(_ text: String) -> String {
    let once = decodedOnce(text)
    // Some systems escape twice: "&amp;#39;".
    return once.hasEscapes ? decodedOnce(once.text).text : once.text
  }

  /// `hasEscapes`: true if the text contained "&amp;", which may begin another reference.
  private static func decodedOnce(_ text: String) -> (text: String, hasEscapes: Bool) {
    var rest = text.utf8[...]
    var decoded = ""
    var hasEscapes = false
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      decoded += Substring(rest[..<ampersand])
      rest = rest[ampersand...].dropFirst()
      let name = rest.prefix(maxNameLength + 1).prefix { $0 != UInt8(ascii: ";") }
      if name.endIndex < rest.endIndex, name.count <= maxNameLength, let scalar = scalar(Array(name)) {
        decoded.unicodeScalars.append(scalar)
        hasEscapes = hasEscapes || scalar == "&"
        rest = rest[name.endIndex...].dropFirst()
      } else {
        decoded += "&"
      }
    }
    return (decoded + Substring(rest), hasEscapes)
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
    (0x100, "Amacr amacr Abreve abreve Aogon aogon Cacute cacute Ccirc ccirc Cdot cdot Ccaron ccaron Dcaron dcaron"),
    (0x110, "Dstrok dstrok Emacr emacr - - Edot edot Eogon eogon Ecaron ecaron Gcirc gcirc Gbreve gbreve Gdot gdot"),
    (0x122, "Gcedil - Hcirc hcirc Hstrok hstrok Itilde itilde Imacr imacr - - Iogon iogon Idot imath"),
    (0x134, "Jcirc jcirc Kcedil kcedil - Lacute lacute Lcedil lcedil Lcaron lcaron - - Lstrok lstrok"),
    (0x143, "Nacute nacute Ncedil ncedil Ncaron ncaron - - - Omacr omacr - - Odblac odblac OElig oelig"),
    (0x154, "Racute racute Rcedil rcedil Rcaron rcaron Sacute sacute Scirc scirc Scedil scedil Scaron scaron"),
    (0x162, "Tcedil tcedil Tcaron tcaron - - Utilde utilde Umacr umacr Ubreve ubreve Uring uring Udblac udblac"),
    (0x172, "Uogon uogon Wcirc wcirc Ycirc ycirc Yuml Zacute zacute Zdot zdot Zcaron zcaron"), (0x192, "fnof"),
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
