extension Board {
  /// Reads a board file. Throws all faults, in order of line.
  public init(path: String) throws(SettingsErrors) {
    try self.init(TomlDocument.bytes(of: path), file: path)
  }

  /// Reads the bytes of a board file; `file` is its name in error messages. Throws all faults, in order of line.
  public init(_ bytes: [UInt8], file: String) throws(SettingsErrors) {
    self.init()
    try TomlDocument.read(bytes, file: file, showsValues: true) { table, log in
      var reading = BoardReading(log)
      reading.read(table)
      self = reading.board
    }
  }

  /// Reads `NAME.toml` from the first folder that contains it. If the file is missing, the error suggests or lists
  /// known names.
  public init(named name: String, in folders: [String]) throws(SettingsErrors) {
    guard let folder = folders.first(where: { Folder.names(in: $0).contains(name + ".toml") }) else {
      let known = Self.names(in: folders)
      let near = SpellingSuggestion.nearest(to: name, of: known).map { "did you mean \($0)?" }
      let hint = near ?? (known.isEmpty ? "there are no boards" : "there are \(known.joined(last: "and"))")
      throw SettingsErrors([SettingsError(folders.joined(last: "or"), "there is no board \(name.quoted); \(hint)")])
    }
    try self.init(path: "\(folder)/\(name).toml")
  }

  /// The names of the boards in some folders, sorted.
  public static func names(in folders: [String]) -> [String] {
    let files = Set(folders.flatMap { Folder.names(in: $0) }).filter { $0.hasSuffix(".toml") }
    return files.map { String($0.dropLast(".toml".count)) }.sorted()
  }
}
