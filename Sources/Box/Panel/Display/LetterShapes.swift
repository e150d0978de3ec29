/// Letters with diacritics: base letter, mark and combined shape.
enum LetterShapes {
  /// A mark above a letter (two lines) or below it (one line).
  private struct Mark {
    var scalar: Unicode.Scalar
    var over = "..... ....."
    var under = "....."
  }

  private static let marks = [
    Mark(scalar: "\u{300}", over: ".#... ..#.."), Mark(scalar: "\u{301}", over: "...#. ..#.."),
    Mark(scalar: "\u{302}", over: "..#.. .#.#."), Mark(scalar: "\u{303}", over: ".#..# #.##."),
    Mark(scalar: "\u{304}", over: ".###. ....."), Mark(scalar: "\u{306}", over: "#...# .###."),
    Mark(scalar: "\u{307}", over: "..#.. ....."), Mark(scalar: "\u{308}", over: ".#.#. ....."),
    Mark(scalar: "\u{30B}", over: "..#.# .#.#."), Mark(scalar: "\u{30C}", over: ".#.#. ..#.."),
    Mark(scalar: "\u{323}", under: "..#.."), Mark(scalar: "\u{326}", under: "..#.."),
    Mark(scalar: "\u{327}", under: ".##.."), Mark(scalar: "\u{328}", under: "...##"),
  ]

  /// Marks without a shape, which are omitted: Vietnamese hook and horn, and the ring unless drawn below.
  private static let undrawnMarks: [Unicode.Scalar] = ["\u{309}", "\u{30A}", "\u{31B}"]

  /// Bodies of five lines, which leave room for a mark above and below.
  private static let bodies: KeyValuePairs<Character, String> = [
    "a": ".###. ....# .#### #...# .####", "c": ".###. #.... #.... #...# .###.",
    "e": ".###. #...# ##### #.... .###.", "g": ".#### #...# .#### ....# .###.",
    "i": ".##.. ..#.. ..#.. ..#.. .###.", "n": "#.##. ##..# #...# #...# #...#",
    "o": ".###. #...# #...# #...# .###.", "r": "#.##. ##..# #.... #.... #....",
    "s": ".###. #.... .###. ....# ####.", "t": ".#... ###.. .#... .#..# ..##.",
    "u": "#...# #...# #...# #..## .##.#", "w": "#...# #...# #.#.# #.#.# .#.#.",
    "y": "#...# #...# .#### ....# .###.", "z": "##### ...#. ..#.. .#... #####",
    "A": ".###. #...# ##### #...# #...#", "C": ".#### #.... #.... #.... .####",
    "E": "##### #.... ####. #.... #####", "G": ".#### #.... #.### #...# .###.",
    "I": ".###. ..#.. ..#.. ..#.. .###.", "N": "#...# ##..# #.#.# #..## #...#",
    "O": ".###. #...# #...# #...# .###.", "R": "####. #...# ####. #..#. #...#",
    "S": ".#### #.... .###. ....# ####.", "T": "##### ..#.. ..#.. ..#.. ..#..",
    "U": "#...# #...# #...# #...# .###.", "W": "#...# #...# #.#.# ##.## #...#",
    "Y": "#...# .#.#. ..#.. ..#.. ..#..", "Z": "##### ...#. ..#.. .#... #####",
  ]

  /// Letters that are not a body with a mark.
  private static let others: KeyValuePairs<Character, (Character, String)> = [
    "å": ("a", "..#.. .#.#. ..#.. .###. ....# .#### #...# .####"),
    "Å": ("A", "..#.. .#.#. ..#.. .###. #...# ##### #...# #...#"),
    "ů": ("u", "..#.. .#.#. ..#.. ..... #...# #...# #..## .##.#"),
    "Ů": ("U", "..#.. .#.#. ..#.. #...# #...# #...# #...# .###."),
    "ø": ("o", "..... ..... .##.# #..#. #.#.# .#..# #.##."),
    "Ø": ("O", ".##.# #..#. #.#.# #.#.# #.#.# .#..# #.##."),
    "ł": ("l", ".##.. ..#.. ..#.# ..##. .##.. ..#.. .###."),
    "Ł": ("L", "#.... #.#.. ##... #.... #.... #.... #####"),
    "đ": ("d", "...#. .#### ...#. .###. #..#. #..#. .###."),
    "ı": ("i", "..... ..... .##.. ..#.. ..#.. ..#.. .###."),
    "€": ("E", "..### .#... ####. .#... ####. .#... ..###"),
  ]

  static let glyphs: [Character: Glyph] = {
    var glyphs: [Character: Glyph] = [:]
    for (base, body) in bodies {
      for mark in marks {
        let letter = marked(base, [mark.scalar])
        glyphs[letter] = Glyph(letter, spare: base, isLetter: true, "\(mark.over) \(body) \(mark.under)")
      }
    }
    for (letter, (base, drawing)) in others {
      glyphs[letter] = Glyph(letter, spare: base, isLetter: true, drawing)
    }
    return glyphs
  }()

  /// The ASCII letter under one or two marks. Characters compare equal in all Unicode normal forms.
  static let bases: [Character: Character] = {
    var bases: [Character: Character] = [:]
    let all = marks.map(\.scalar) + undrawnMarks
    for base in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" {
      for mark in all {
        bases[marked(base, [mark])] = base
        guard "aeiouAEIOU".contains(base) else { continue }
        for second in all where second != mark { bases[marked(base, [mark, second])] = base }
      }
    }
    return bases
  }()

  private static func marked(_ base: Character, _ marks: [Unicode.Scalar]) -> Character {
    var text = String.UnicodeScalarView(base.unicodeScalars)
    text.append(contentsOf: marks)
    return String(text).first ?? base
  }
}
