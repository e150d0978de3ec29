/// Letters with their marks: which letter is under a mark, and how the two look together.
enum LetterShapes {
  /// A mark over a letter (two lines) or under it (one).
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

  /// Marks that are only left out: the hook and the horn of Vietnamese, the ring but where it is drawn below.
  private static let undrawnMarks: [Unicode.Scalar] = ["\u{309}", "\u{30A}", "\u{31B}"]

  /// Bodies of five lines, small enough for a mark above and one below.
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

  /// Letters that are no body with a mark.
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

  /// How a letter looks that is no part of ASCII; nil for one that nobody drew.
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

  /// The letter of ASCII under one or two marks; equal however Unicode writes it, since characters compare so.
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
