enum Transliteration {
  /// Capital letters and their transliteration; lower case follows automatically.
  private static let capitals: KeyValuePairs<String, String> = [
    // Cyrillic.
    "А": "A", "Б": "B", "В": "V", "ГҐЃ": "G", "Д": "D", "ЕЁЭ": "E", "Є": "Ye", "Ж": "Zh", "З": "Z", "ИІ": "I",
    "Ї": "Yi",
    "ЙЫ": "Y", "Ј": "J", "КЌ": "K", "Л": "L", "Љ": "Lj", "М": "M", "Н": "N", "Њ": "Nj", "О": "O", "П": "P", "Р": "R",
    "С": "S", "Т": "T", "УЎ": "U", "Ф": "F", "Х": "Kh", "Ц": "Ts", "Ч": "Ch", "Ћ": "C", "Ш": "Sh", "Щ": "Shch",
    "ЪЬ": "", "Ю": "Yu", "Я": "Ya", "Ђ": "Dj", "Џ": "Dz", "Ѕ": "Dz",
    // Greek.
    "ΑΆ": "A", "Β": "V", "Γ": "G", "Δ": "D", "ΕΈ": "E", "Ζ": "Z", "ΗΉΙΊΪΐ": "I", "Θ": "Th", "Κ": "K", "Λ": "L",
    "Μ": "M",
    "Ν": "N", "Ξ": "X", "ΟΌΩΏ": "O", "Π": "P", "Ρ": "R", "Σ": "S", "Τ": "T", "ΥΎΫΰ": "Y", "Φ": "F", "Χ": "Ch",
    "Ψ": "Ps", "ς": "s",
    // Other Latin letters.
    "Æ": "AE", "Œ": "OE", "Þ": "Th", "ÐĐ": "D", "Ĳ": "IJ", "Ŋ": "Ng", "Ħ": "H", "Ŧ": "T", "Ə": "E",
  ]

  private static let signs: KeyValuePairs<String, String> = [
    "ß": "ss", "ĸ": "k", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ſ": "s",
    "“”„‟«»″〝〞❝❞": "\"", "‘’‚‛′´ʼʻ‹›❛❜": "'", "‐‑‒–—―−─~〜": "-", "…": "...", "‥": "..", "•·∙●◦・": "*",
    "\\∕⁄": "/", "¦": "|", "¡": "!", "¿": "?", "™": "TM", "©": "(c)", "®": "(R)", "°º": "o", "ª": "a", "№": "No",
    "×✕✖": "x", "÷": "/", "±": "+-", "≠": "!=", "≤": "<=", "≥": ">=", "≈": "~", "¼": "1/4", "½": "1/2", "¾": "3/4",
    "¹": "1", "²": "2", "³": "3", "£": "GBP", "¥": "Yen", "¢": "c", "¤": "*", "§": "S", "¶": "P", "†‡": "+",
    "♪♫♬♩": "*", "♥❤♡": "<3", "★☆": "*", "→": "->", "←": "<-", "▶►": ">", "◀◄": "<", "♯": "#", "♭": "b", "µ": "u",
    "∞": "oo", "√": "V", "、": ",", "。": ".", "「『": "[", "」』": "]",
  ]

  static let table: [Character: String] = {
    var table: [Character: String] = [:]
    for (characters, text) in capitals {
      for character in characters {
        table[character] = text
        let small = character.lowercased()
        if small.count == 1, let first = small.first, first != character { table[first] = text.lowercased() }
      }
    }
    for (characters, text) in signs { for character in characters { table[character] = text } }
    return table
  }()

  /// True for Greek and Cyrillic, of which a ROM has only some letters, never a whole word.
  static func isForeign(_ character: Character) -> Bool {
    switch character.unicodeScalars.first?.value ?? 0 {
    case 0x370...0x3FF, 0x400...0x52F, 0x1F00...0x1FFF: true
    default: false
    }
  }
}
