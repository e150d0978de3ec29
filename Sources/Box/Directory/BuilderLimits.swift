/// What a directory may take while it is made. 400,000 stations of usual lengths fit.
///
/// Its memory is 24 bytes for each station, 40 and a label for each term, the terms' bytes, and four for each posting:
/// some 60 MB where all is at its limit.
struct BuilderLimits {
  /// The longest list, in bytes as they come unpacked.
  static let longestList = 256 << 20

  /// The most bytes of entries beside the directory.
  var spool = 128 << 20
  /// The most bytes of the file.
  var file = FileLayout.longest
  /// The most bytes of terms; stations do without further ones.
  var terms = 6 << 20
  /// The most stations of all terms together; the last stations are then found by their names' first letters alone.
  var postings = 6_500_000
}
