/// The layout of the directory file; see FileFormat.md. All numbers are little endian.
enum FileLayout {
  static let magic: [UInt8] = Array("BKSTDIR\n".utf8)
  static let version: UInt32 = 1
  static let headerSize = 160
  /// Position of the first byte in the checksum.
  static let checkedFrom = 24
  static let recordSize = 40
  static let termSize = 8
  /// Bytes of a name entry: the first eight bytes of a folded name as a number, and a rank.
  static let nameSize = 12
  static let maxStations = 500_000
  /// Maximum length of a file in bytes.
  static let maxFileLength = 64 << 20
  /// Maximum length of the list's origin in bytes, for example a server's address.
  static let maxSourceLength = 200
  /// Maximum length of a term in bytes. A country, language or tag has 48 bytes, but a letter may fold to several
  /// letters.
  static let maxTermLength = 512
  /// Maximum length of a record's coded texts, lengths and term numbers. A byte without a symbol needs two bytes.
  static let maxTextLength =
    2 * (DirectoryEntry.maxNameLength + 2 * DirectoryEntry.maxUrlLength + DirectoryEntry.maxWordLength) + 256

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

  enum Record {
    static let uuidHigh = 0
    static let uuidLow = 8
    static let text = 16
    static let votes = 20
    static let address = 24
    static let name = 28
    static let country = 32
    static let bitRate = 34
    static let codec = 36
    static let flags = 38
    static let isAlive: UInt8 = 1
    static let isHls: UInt8 = 2
  }

  /// The sections of a file, in the order of the header. `DirectoryWriter.write` writes them in another order.
  enum Section: Int, CaseIterable {
    case records, texts, terms, termTexts, postings, labels, labelTexts, names, source, symbols
  }

  /// The kinds of terms, in sort order.
  enum TermKind: UInt8, CaseIterable {
    case country, language, tag, codec, word

    /// Maximum number of terms of this kind; further terms are ignored.
    var maxCount: Int {
      switch self {
      case .country, .codec: 1_000
      case .language: 5_000
      case .tag: 30_000
      case .word: 250_000
      }
    }
  }
}
