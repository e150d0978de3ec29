import Settings

/// The replaced settings and damaged files, each for one notice on the display; the log has all.
struct ReplacedNews {
  private var shown: Set<String> = []

  /// Returns the next key or file to show; nil if all were shown.
  func next(
    _ starts: StartKeeper, _ configuration: Configuration, _ presets: PresetController, _ owner: OwnerKeeper
  ) -> String? {
    if let key = starts.restored.first(where: { !shown.contains($0) }) { return key }
    if let setting = configuration.replaced.first(where: { !shown.contains($0.key) }) { return setting.key }
    if presets.catalog.problem != nil, !shown.contains("stations.toml") { return "stations.toml" }
    return owner.isDamaged && !shown.contains("owner.toml") ? "owner.toml" : nil
  }

  mutating func record(_ key: String) { shown.insert(key) }
}
