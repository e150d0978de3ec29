import ArgumentParser

/// The options of a station for `play`, `probe` and `stations add`.
struct StreamOptionGroup: ParsableArguments {
  @Option("Add this query parameter to the address; may be repeated.", value: "key=value")
  var query: [String] = []

  @Option("Send this header; may be repeated.", value: "name: value")
  var header: [String] = []

  @Option(
    """
    Limit an HLS station to variants up to this bit rate, 8 to 10000; if all are higher, play the lowest. Default: \
    the best variant.
    """, value: "kbit/s")
  var maxBitrate: Int?

  @Option(
    """
    Decode the station's titles from this encoding, such as windows-1251. Default: UTF-8; windows-1252 if invalid.
    """, value: "encoding")
  var metaEncoding: String?
}
