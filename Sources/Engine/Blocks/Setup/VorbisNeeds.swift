/// The memory that a decoder needs for a Vorbis set-up header's codebooks and residues (Vorbis I, 3.2.1, 8.6).
///
/// libvorbis allocates as much as a header claims: a few hundred bytes can claim gigabytes. Each used codebook entry
/// also needs 12 bytes of stack, and the decode thread has 256 KiB.
public struct VorbisNeeds: Equatable, Sendable {
  /// Maximum number of used entries in one codebook.
  var longestBook = 0
  var entries = 0
  /// Number of values in all codebooks with a lookup table.
  var numbers = 0
  /// Bytes of the residue tables: one row per word of a residue's classbook (libvorbis, res0_look).
  var tableBytes = 0

  /// About three times the maxima of libvorbis' encoder: 19,413, 85,928 and 3,125, in this order.
  private static let (maxEntries, maxNumbers, maxBook) = (65_536, 262_144, 8_192)
  /// An encoder's residues need a few kilobytes.
  private static let maxTableBytes = 1 << 20

  /// True if the needs are within the limits.
  public var areModest: Bool {
    entries <= Self.maxEntries && numbers <= Self.maxNumbers && longestBook <= Self.maxBook
      && tableBytes <= Self.maxTableBytes
  }

  /// Adds a residue with `classes` classes and a classbook of `dimensions` dimensions.
  mutating func add(classes: Int, dimensions: Int) {
    var rows = 1
    // Stops beyond the limit, before an overflow.
    for _ in 0..<(classes > 1 ? dimensions : 0) {
      guard rows <= Self.maxTableBytes else { break }
      rows *= classes
    }
    tableBytes += rows * (24 + 4 * dimensions)
  }
}
