import Glibc

/// The inputs that a corpus begins with, as files.
enum Seeds {
  /// Writes every seed into a folder that exists, as `seed-0`, `seed-1` and so on.
  static func write(_ seeds: [[UInt8]], to folder: String) {
    for (number, seed) in seeds.enumerated() {
      let path = "\(folder)/seed-\(number)"
      guard let file = fopen(path, "w") else { fatalError("Cannot write \(path).") }
      fwrite(seed, 1, seed.count, file)
      fclose(file)
    }
  }
}
