import Json
import Rooms
import Units

/// Runs a control script between a server and a radio with any messages. Lines with ">" come from the server, others
/// from the radio.
final class ScriptTalk: FuzzTarget {
  static let name = "control-script"
  static let seeds = [
    """
    OK MPD 0.23.5
    state: playing
    title: a "b"
    live: 1
    volume: 40
    OK
    >{"id":1,"jsonrpc":"2.0","method":"Plugin.Stream.Player.GetProperties"}
    >{"id":2,"method":"Plugin.Stream.Player.Control","params":{"command":"seek","params":{"offset":-1}}}
    OK
    OK
    changed: player
    OK

    """,
    """
    OK MPD 0.23.5
    >{"method":"Plugin.Stream.Player.SetProperty","params":{"volume":33}}
    ACK [50@0] {setvol} No

    OK MPD 0.23.5

    """,
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    var (script, now) = (ControlScript(), MonotonicTime.zero)
    script.begin(at: now)
    var start = 0
    for place in 0..<bytes.count where bytes[place] == UInt8(ascii: "\n") {
      let line = bytes.extracting(start..<place)
      start = place + 1
      now = now + Duration(milliseconds: 70)
      if line.isEmpty {
        script.end("gone")
        script.begin(at: now)
      } else if line[0] == UInt8(ascii: ">") {
        script.process(request: line.extracting(1..<line.count))
      } else {
        hear(&script, line, at: now)
      }
      look(&script, at: now)
    }
  }

  private func hear(_ script: inout ControlScript, _ line: Span<UInt8>, at now: MonotonicTime) {
    let text = line.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    do throws(ControlScript.Nonsense) { try script.process(radio: text) } catch {
      script.end(text)
      script.begin(at: now)
    }
  }

  private func look(_ script: inout ControlScript, at now: MonotonicTime) {
    for command in script.removeCommands(at: now).split(separator: "\n") {
      let name = command.prefix { $0 != " " }
      expect(Self.commands.contains(String(name)), "the radio is told commands that it knows")
      expect(command.utf8.count < 40, "a command is short")
    }
    for line in script.removeOutput().split(separator: "\n") {
      let value = try? JsonValue(Array(line.utf8).span)
      expect(value?["jsonrpc"]?.string == "2.0", "the server is told lines of JSON")
    }
  }

  private static let commands: Set = [
    "radio_status", "idle", "noidle", "play", "pause", "stop", "next", "previous", "seekcur", "setvol",
  ]
}

final class ServerSettingsReading: FuzzTarget {
  static let name = "snapserver-settings"
  static let seeds = [
    "[stream]\nsource = pipe:///run/a%20b?name=Radio&sampleformat=48000:16:2&controlscript=x\nbuffer = 1000\n",
    "[tcp]\nenabled = true\nport = 1705\n# [x]\n[http]\n",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    let settings = SnapserverSettings(bytes.withUnsafeBytes { Array($0) })
    expect(settings.sources.count <= 64, "sources are bounded")
    for source in settings.sources {
      expect(source.path.isEmpty || source.path.hasPrefix("/"), "a path begins at the root")
      expect(source.path.utf8.count <= 3 * 4_096, "a path is as long as its line at most")
    }
    expect(settings.port.map { (1...65_535).contains($0) } ?? true, "a port is one")
  }
}
