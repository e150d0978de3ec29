extension StationFile {
  /// Changes a file on the disk under a lock. If it throws, the file stays unchanged. Other programs always read a
  /// complete file. If `isCreating` is true, a missing file is created. Only its owner and the radio's group can read
  /// the new file, since it may contain passwords.
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
