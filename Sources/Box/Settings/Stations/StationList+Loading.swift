extension StationList {
  /// Reads a file. A fault in one station or line does not affect the other stations.
  public static func load(_ path: String) -> StationList {
    do throws(SettingsError) {
      return read(try SmallFile.read(path, limit: TomlDocument.byteLimit), file: path)
    } catch {
      return StationList(problems: [error])
    }
  }

  /// Reads the bytes of a file; `file` is its name in error messages.
  public static func read(_ bytes: [UInt8], file: String) -> StationList {
    do throws(SettingsError) {
      return StationList(try TomlDocument(bytes, file: file))
    } catch {
      return StationSalvage(bytes, file: file).list(whole: error)
    }
  }
}
