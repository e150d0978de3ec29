import Glibc
import PanelWords
import Units

extension Configuration {
  /// Reads a file; missing keys have their defaults. Throws all faults, in order of line. `replacesValues`: true to
  /// record unusable values in `replaced` instead, for keys that concern neither sound nor safety.
  public init(path: String, replacesValues: Bool = false) throws(SettingsErrors) {
    try self.init(TomlDocument.bytes(of: path), file: path, replacesValues: replacesValues)
  }

  /// Reads the bytes of a file as `init(path:replacesValues:)` does; `file` is its name in error messages.
  public init(_ bytes: [UInt8], file: String, replacesValues: Bool = false) throws(SettingsErrors) {
    self.init()
    try TomlDocument.read(bytes, file: file, replacesValues: replacesValues) { read($0, $1) }
  }

  /// All keys, such as "[audio] period_ms", each with its allowed values in words.
  static var rules: [(key: String, allowed: String)] {
    let log = ProblemLog("", keepsRules: true)
    var configuration = Configuration()
    let names = [
      "start", "audio", "snapcast", "buffer", "decoding", "prefetch", "continuity", "control", "panel", "recording",
      "directory",
      "mqtt", "mpris", "web", "state",
    ]
    let sections = names.map { name in
      TomlEntry(key: name, line: 1, column: 1, lastLine: 1, value: .table(TomlTable(entries: [])))
    }
    configuration.read(TomlTable(entries: sections), log)
    return log.rules.filter { $0.allowed != "a table" }
  }

  mutating func read(_ table: TomlTable, _ log: ProblemLog) {
    let root = TableReader(table, log)
    // The pins of the default board may be connected to other parts.
    board = root.text("board", .name, hasFallback: true) ?? (root.has("board") ? "" : board)
    timezone = root.text("timezone", .timezone, hasFallback: true) ?? timezone
    language = root.word("language", Language.self, hasFallback: true) ?? language
    if let table = root.table("start") { start.read(table) }
    if let table = root.table("audio") { readAudio(table) }
    if let table = root.table("snapcast") { snapcast.read(table, isRoom: audio.output == .room) }
    if let table = root.table("buffer") { buffer.read(table) }
    if let table = root.table("decoding") { decoding.read(table) }
    if let table = root.table("prefetch") { prefetch.read(table) }
    if let table = root.table("continuity") { continuity.read(table) }
    if let table = root.table("control") { readControl(table) }
    if let table = root.table("panel") { readPanel(table) }
    if let table = root.table("recording") {
      recording.path = table.path("path", .path) ?? recording.path
      recording.floorMebibytes = table.whole("floor_mib", 0...1_000_000, "MiB") ?? recording.floorMebibytes
      recording.maxGigabytes = table.number("max_gb", 0...1_000_000, "GB") ?? recording.maxGigabytes
      recording.margin = table.number("margin", 0...30, "s") ?? recording.margin
      table.close()
    }
    if let table = root.table("directory") { readDirectory(table) }
    if let table = root.table("mqtt") { mqtt.read(table) }
    if let table = root.table("mpris") { mpris.read(table) }
    if let table = root.table("web") { web.read(table) }
    if let table = root.table("state") {
      statePath = table.path("path", .path) ?? statePath
      table.close()
    }
    root.close()
    replaced += log.replaced
  }

  private mutating func readAudio(_ table: TableReader) {
    audio.output = table.word("output", Audio.Output.self) ?? audio.output
    audio.device = table.text("device", .line) ?? audio.device
    audio.periodMilliseconds = table.whole("period_ms", 5...500, "ms") ?? audio.periodMilliseconds
    audio.bufferMilliseconds = table.whole("buffer_ms", 10...2_000, "ms") ?? audio.bufferMilliseconds
    audio.volume = table.word("volume", Audio.Volume.self) ?? audio.volume
    audio.startVolumeMax = table.whole("start_volume_max", 0...100, "percent") ?? audio.startVolumeMax
    audio.isMono = table.flag("mono") ?? audio.isMono
    table.close()
    if audio.bufferMilliseconds < 2 * audio.periodMilliseconds {
      table.complain(
        at: ["buffer_ms", "period_ms"],
        "buffer_ms must be two periods (\(2 * audio.periodMilliseconds) ms) or more"
      )
    }
  }

  private mutating func readControl(_ table: TableReader) {
    control.socket = table.path("socket", .socket) ?? control.socket
    control.listen = table.addresses("listen", fromPort: 1, such: "127.0.0.1:6600") ?? control.listen
    control.passwordFile = table.path("password_file", .secretOrNone) ?? control.passwordFile
    table.close()
    if control.listen.contains(where: { !$0.isLoopback }), control.passwordFile.isEmpty {
      table.complain(
        at: ["listen"],
        "listen has an address that others can reach; name a password_file, or listen on 127.0.0.1")
    }
  }

  private mutating func readDirectory(_ table: TableReader) {
    directory.path = table.path("path", .path) ?? directory.path
    directory.updateDays = table.whole("update_days", Limits.directoryUpdateDays, "days") ?? directory.updateDays
    directory.relocate = table.word("relocate", Directory.Relocation.self) ?? directory.relocate
    directory.relocateAfterDays =
      table.whole("relocate_after_days", Limits.relocateAfterDays, "days") ?? directory.relocateAfterDays
    directory.countsClicks = table.flag("count_clicks") ?? directory.countsClicks
    table.close()
  }

  private mutating func readPanel(_ table: TableReader) {
    panel.hasIdleClock = table.flag("idle_clock") ?? panel.hasIdleClock
    panel.scrollMilliseconds = table.whole("scroll_ms", Limits.scrollMilliseconds, "ms") ?? panel.scrollMilliseconds
    panel.volumeStep = table.whole("volume_step", Limits.volumeStep, "percent") ?? panel.volumeStep
    panel.scrubStep = table.whole("scrub_step", Limits.scrubStep, "s") ?? panel.scrubStep
    table.close()
  }
}

extension Configuration.Buffer {
  fileprivate mutating func read(_ table: TableReader) {
    blocks = table.whole("blocks", Limits.blockCount, "blocks") ?? blocks
    waitLive = table.number("wait_live", Limits.wait, "s") ?? waitLive
    waitFile = table.number("wait_file", Limits.wait, "s") ?? waitFile
    start = table.word("start", Start.self) ?? start
    throttleBypass = table.number("throttle_bypass", Limits.throttleBypass, "s") ?? throttleBypass
    liveSafety = table.number("live_safety", Limits.liveSafety, "s") ?? liveSafety
    dataTimeout = table.number("data_timeout", 1...3_600, "s") ?? dataTimeout
    pauseTimeout = table.number("pause_timeout", 0...86_400, "s") ?? pauseTimeout
    isContinuous = table.flag("continuous") ?? isContinuous
    table.close()
  }
}

extension TextRule {
  /// A time zone, or empty. If the machine has a tz database, the zone must be in it.
  fileprivate static var timezone: TextRule {
    TextRule("a zone of the tz database, such as \"Europe/Berlin\", or \"\"") { zone in
      if zone.isEmpty { return true }
      let parts = zone.split(separator: "/", omittingEmptySubsequences: false)
      let isWord = parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { isWordByte($0) || "+-".utf8.contains($0) }
      }
      guard isWord, zone.utf8.count <= 64 else { return false }
      return access(zones, F_OK) != 0 || access("\(zones)/\(zone)", R_OK) == 0
    }
  }

  private static var zones: String { "/usr/share/zoneinfo" }

  /// A path that fits into `sockaddr_un`, or empty.
  fileprivate static var socket: TextRule {
    TextRule("a path that begins with / or ~/ and has up to 107 bytes, or \"\"") {
      $0.isEmpty || ($0.utf8.count <= 107 && path.accepts($0))
    }
  }
}
