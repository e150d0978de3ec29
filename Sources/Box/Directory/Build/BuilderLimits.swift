/// Limits while a directory is built. 400,000 stations of usual lengths fit.
///
/// Memory: 24 bytes per station, 40 bytes and a label per term, the bytes of all terms, four bytes per posting. The
/// total at these limits is about 60 MB.
struct BuilderLimits {
  /// Maximum length of an uncompressed list in bytes.
  static let maxListLength = 256 << 20

  /// Maximum bytes of entries in the spool file.
  var spool = 128 << 20
  var file = FileLayout.maxFileLength
  /// Maximum bytes of all terms; further terms are ignored.
  var terms = 6 << 20
  /// Maximum number of postings. Stations after this limit are found only by the first letters of their names.
  var postings = 6_500_000
}
