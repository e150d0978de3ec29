import Foundation
import TestSupport
import Testing

@testable import Settings

/// `config/web/settings.json`, the source of the web panel's settings that can be changed at run time.
@Suite("Settings of the web panel")
struct WebSettingsTests {
  private struct Document: Decodable {
    let sections: [Section]
    let settings: [Setting]
  }

  private struct Section: Decodable {
    let key, en, de: String
  }

  /// A setting: its texts in each language, and the allowed values.
  private struct Setting: Decodable {
    let key: String
    let flag, zone: Bool?
    let word: [String]?
    let whole, number: [Double]?
    let unit: String?
    let names: [String: [String]]?
    let plain: [String: String]?
    let `in`: String
    let en, de: [String]

    var range: [Double]? { whole ?? number }

    /// The allowed values, in the words of a file's error; nil if a special rule applies.
    var allowed: String? {
      if flag == true { return "true or false" }
      if let word { return word.joined(last: "or") }
      return range.map { "between \($0[0].plain) and \($0[1].plain) \(unit ?? "")" }
    }

    /// True if each word has a name in both languages.
    var isNamed: Bool { word.map { word in ["en", "de"].allSatisfy { names?[$0]?.count == word.count } } ?? true }
  }

  private static let document = Result {
    try JSONDecoder().decode(Document.self, from: Data(TestSupport.Repository.text("config/web/settings.json").utf8))
  }

  @Test("The page has all changeable settings except the panel's own, in order, in named sections")
  func keys() throws {
    let document = try Self.document.get()
    // After a change of these settings, the panel could not undo it.
    let own = ["web.enabled", "web.read_only"]
    #expect(document.settings.map(\.key) + own == Configuration.changeableKeys)
    #expect(Set(document.settings.map(\.in)) == Set(document.sections.map(\.key)))
    #expect(document.sections.allSatisfy { !$0.en.isEmpty && !$0.de.isEmpty })
  }

  @Test("Each word of a choice has a name in both languages, except the names of programs (W1)")
  func names() throws {
    let unnamed = try Self.document.get().settings.filter { !$0.isNamed }.map(\.key)
    #expect(unnamed == ["decoding.mp3_decoder"])
    let hard = try Self.document.get().settings.filter { $0.in != "advanced" && $0.plain?.count != 2 }.map(\.key)
    #expect(hard == [], "a listener understands each sentence")
  }

  @Test("Each unit has a word in both languages", arguments: ["en", "de"])
  func units(_ language: String) throws {
    struct Texts: Decodable {
      let units: [String: String]
    }
    let text = TestSupport.Repository.text("config/web/text/\(language).json")
    let words = try JSONDecoder().decode(Texts.self, from: Data(text.utf8)).units
    let missing = try Self.document.get().settings.compactMap(\.unit).filter { words[$0] == nil }
    #expect(missing == [])
  }

  @Test("The page's ranges equal the file's, also in the German text")
  func ranges() throws {
    let rules = Configuration.rules.map { rule in
      (key: rule.key.replacing("[", with: "").replacing("] ", with: "."), allowed: rule.allowed)
    }
    for setting in try Self.document.get().settings {
      let rule = try #require(rules.first { $0.key == setting.key })
      if let allowed = setting.allowed { #expect(rule.allowed == allowed, "\(setting.key)") }
      #expect(setting.allowed != nil || setting.zone == true && rule.allowed.hasPrefix("a zone"), "\(setting.key)")
      let german = setting.de[1].replacing(",", with: ".")
      let told = setting.range?.map(\.plain) ?? setting.word ?? []
      #expect(told.allSatisfy { german.contains($0) }, "\(setting.key)")
    }
  }

  @Test("The page's sentences equal those of bakelite.toml")
  func sentences() throws {
    let told = Self.comments(of: TestSupport.Repository.text("config/bakelite.toml"))
    for setting in try Self.document.get().settings {
      #expect(setting.en[1] == told[setting.key], "\(setting.key)")
      #expect(!setting.en[0].isEmpty && !setting.de[0].isEmpty && setting.en.count == 2 && setting.de.count == 2)
    }
  }

  /// The comment above each key of a file, as one line.
  private static func comments(of text: String) -> [String: String] {
    var (section, comment, told): (String, [Substring], [String: String]) = ("", [], [:])
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("[") {
        section = String(line.dropFirst().prefix { $0 != "]" }) + "."
      } else if line.hasPrefix("#") {
        comment.append(line.dropFirst(2))
        continue
      } else if !line.isEmpty {
        told[section + line.prefix { $0 != " " }] = comment.joined(separator: " ")
      }
      comment = []
    }
    return told
  }
}
