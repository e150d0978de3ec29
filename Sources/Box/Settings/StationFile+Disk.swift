extension StationFile {
  /// Changes a file on the disk: read, changed and written while nobody else changes it, or left as it is.
  ///
  /// A file that is not there is begun where `isCreating`: readable by its owner and the radio's group alone, since it
  /// may hold passwords. Whoever reads it, and whatever dies, it is whole.
  ///
  /// - Throws: `SettingsError` of the file or of `change`.
  public static func edit<Result>(
    _ path: String, isCreating: Bool, _ change: (inout StationFile) throws(SettingsError) -> Result
  ) throws(SettingsError) -> Result {
    let disk = try AtomicFile(path)
    let before =
      isCreating && !disk.isThere ? Array(head.utf8) : try SmallFile.read(path, limit: TomlDocument.byteLimit)
    var file = try StationFile(before, file: path)
    let result = try change(&file)
    if file.bytes != before { try disk.replace(with: file.bytes, mode: 0o640, group: "audio") }
    return result
  }

  private static var head: String { "# The radio's stations, in the order of the knob.\n" }
}
