/// What a decoder needs of memory for the codebooks and residues of a Vorbis set-up header (Vorbis I, 3.2.1, 8.6).
///
/// libvorbis takes whatever they claim: a header of a few hundred bytes can describe gigabytes. Of the stack it takes
/// 12 bytes for each entry in use of a book, and the decode thread has 256 KiB.
public struct VorbisNeeds: Equatable, Sendable {
  /// Entries in use of the largest book.
  var longestBook = 0
  /// Entries of all books.
  var entries = 0
  /// Numbers in all books that have some.
  var numbers = 0
  /// Bytes of the residues' tables: one row for each word of a residue's book of classes (libvorbis, res0_look).
  var tableBytes = 0

  /// About three times what libvorbis' encoder writes at most: 19,413 and 85,928, and 3,125 in one book.
  private static let (mostEntries, mostNumbers, longestBook) = (65_536, 262_144, 8_192)
  /// An encoder's residues take some kilobytes.
  private static let mostTableBytes = 1 << 20

  /// Whether a decoder may be made for them.
  public var areModest: Bool {
    entries <= Self.mostEntries && numbers <= Self.mostNumbers && longestBook <= Self.longestBook
      && tableBytes <= Self.mostTableBytes
  }

  /// Takes a residue of so many classes, whose book of classes has so many dimensions.
  mutating func take(classes: Int, dimensions: Int) {
    var rows = 1
    // More than this is more than enough.
    for _ in 0..<(classes > 1 ? dimensions : 0) {
      guard rows <= Self.mostTableBytes else { break }
      rows *= classes
    }
    tableBytes += rows * (24 + 4 * dimensions)
  }
}
