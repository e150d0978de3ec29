import Directory
import Foundation
import Testing

struct FoldedTextTests {
  @Test(
    "Case, accents and scripts make no difference to a search (G1)",
    arguments: [
      ("Köln ÄÖÜß", "koln aouss"), ("Łódź Čeština Øresund Ætt Œuvre", "lodz cestina oresund aett oeuvre"),
      ("Đài Tiếng nói Việt Nam", "dai tieng noi viet nam"), ("İstanbul ışık ŞĞ", "istanbul isik sg"),
      ("Русское Радио", "russkoe radio"), ("Щит Ёлка Юность Їжак Ўсход", "shchit elka yunost izhak ushod"),
      ("Ελληνικός Ψυχή Θήτα", "ellinikos psychi thita"), ("ΕΛΛΗΝΙΚΟΣ", "ellinikos"), ("Љубав Џез", "ljubav dzez"),
      ("إذاعة القرآن", "اذاعه القران"), ("שָׁלוֹם", "שלום"), ("ラジオ らじお ﾗｼﾞｵ", "らしお らしお らしお"),
      ("北京音乐广播", "北京音乐广播"), ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"), ("हिंदी", "हिंदी"),
      ("วิทยุ", "วิทยุ"), ("Ａｂｃ１２３", "abc123"), ("٣٤٥ १२", "345 12"), ("FM 100.5", "fm 100 5"),
      ("R&B / Rock'n'Roll!", "r b rock n roll"), ("  # --Radio-- ", "radio"), ("M²", "m2"), ("ﬁlm", "film"), ("", ""),
      ("…", ""), ("Ռադիո ԵՐԵՎԱՆ", "ռադիո երեվան"),
    ])
  func folds(_ text: String, _ folded: String) {
    #expect(FoldedText(text).description == folded)
  }

  /// The letters of all scripts, without Han and most of Hangul, which have many similar letters.
  private static let values = [
    UInt32(0)...0x33FF, 0xA000...0xAFFF, 0xF900...0xFFFF, 0x10000...0x11FFF, 0x1D100...0x1D1FF, 0x1E900...0x1F1FF,
  ].joined()

  @Test("Canonically equivalent texts fold equally (G1)")
  func equivalence() {
    // Han has an equivalent letter for each compatibility ideograph. Users type that letter.
    var different: [String] = []
    for value in Self.values where !(0xF900...0xFAFF).contains(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let apart = text.decomposedStringWithCanonicalMapping
      guard !apart.unicodeScalars.elementsEqual(text.unicodeScalars) else { continue }
      if FoldedText("a\(text)b") != FoldedText("a\(apart)b") { different.append(String(value, radix: 16)) }
    }
    #expect(different.prefix(9) == [])
  }

  @Test("Capitals fold like lower case, and folding is idempotent (G1)")
  func caseAndIdempotence() {
    var (cases, again): ([String], [String]) = ([], [])
    for value in Self.values {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folded = FoldedText(String(scalar))
      if FoldedText(folded.description) != folded { again.append(String(value, radix: 16)) }
      let small = String(scalar).lowercased()
      // Cherokee's small letters are newer than its capitals.
      if scalar.properties.isUppercase, FoldedText(small) != folded { cases.append(String(value, radix: 16)) }
    }
    #expect(cases.prefix(9) == [])
    #expect(again.prefix(9) == [])
  }

  @Test("Characters around and between words make no difference (G1)")
  func separators() {
    #expect(FoldedText(" Radio -- X! ") == FoldedText("radio x"))
    #expect(Set([FoldedText("a"), FoldedText("a."), FoldedText("(A)")]).count == 1)
  }

  @Test("A word's length is limited (G1)")
  func longWords() {
    #expect(FoldedText(String(repeating: "a", count: 1_000) + " b").description.utf8.count == 64 + 2)
    #expect(FoldedText(String(repeating: "語", count: 1_000)).description.unicodeScalars.count == 21)
  }
}
