extension StationList {
  /// Reads a file. A fault in one station or line does not affect the other stations. `secrets`: the secrets of
  /// alternatives to check.
  public static func load(_ path: String, _ secrets: SecretCheck = .none) -> StationList {
    do throws(SettingsError) {
      return read(try SmallFile.read(path, limit: TomlDocument.byteLimit), file: path, secrets)
    } catch {
      return StationList(problems: [error])
    }
  }

  /// Reads the bytes of a file; `file` is its name in error messages.
  public static func read(_ bytes: [UInt8], file: String, _ secrets: SecretCheck = .none) -> StationList {
    do throws(SettingsError) {
      return StationList(try TomlDocument(bytes, file: file), secrets)
    } catch {
      return StationSalvage(bytes, file: file, secrets).list(whole: error)
    }
  }
}
