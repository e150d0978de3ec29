/// The layout of the directory's file, which FileFormat.md describes. All numbers are little endian.
enum FileLayout {
  /// The first eight bytes.
  static let magic: [UInt8] = Array("BKSTDIR\n".utf8)
  /// The only version that there is.
  static let version: UInt32 = 1
  static let headerSize = 160
  /// From here on the checksum counts.
  static let checkedFrom = 24
  static let recordSize = 40
  static let termSize = 8
  /// The first eight bytes of a folded name, as a number that sorts like them, and a rank.
  static let nameSize = 12
  /// As many stations as a list may have.
  static let mostStations = 500_000
  /// The longest file that is written or read.
  static let longest = 64 << 20
  /// Where the list was fetched, at most.
  static let longestSource = 200
  /// The longest text of a term: 48 bytes of a country, a language or a tag, of which a letter may fold to
  /// several.
  static let longestTerm = 512
  /// The longest texts of a record: two for each byte where nothing is a symbol, lengths, and the numbers of terms.
  static let longestText =
    2 * (DirectoryEntry.longestName + 2 * DirectoryEntry.longestUrl + DirectoryEntry.longestWord) + 256

  /// Where the header says what.
  enum Header {
    static let version = 8
    static let checksum = 16
    static let length = 24
    static let date = 32
    static let stationCount = 40
    static let aliveCount = 44
    static let termCounts = 48
    static let sections = 72
  }

  /// Where a record says what.
  enum Record {
    static let uuidHigh = 0
    static let uuidLow = 8
    static let text = 16
    static let votes = 20
    static let domain = 24
    static let name = 28
    static let country = 32
    static let bitRate = 34
    static let codec = 36
    static let flags = 38
    static let isAlive: UInt8 = 1
    static let isHls: UInt8 = 2
  }

  /// The parts of a file, in their order in the header and in the file.
  enum Section: Int, CaseIterable {
    case records, texts, terms, termTexts, postings, labels, labelTexts, names, source, symbols
  }

  /// What a term is, in the order in which terms are sorted.
  enum TermKind: UInt8, CaseIterable {
    case country, language, tag, codec, word

    /// The most of them; stations do without further ones.
    var most: Int {
      switch self {
      case .country, .codec: 1_000
      case .language: 5_000
      case .tag: 30_000
      case .word: 250_000
      }
    }
  }
}
