/// What this is a version of.
enum Version {
  static let text = "0.1.0"
}
