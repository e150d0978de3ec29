import SeededRandom
import Testing

@testable import Rooms

/// The configuration of a snapserver, as read by doctor.
@Suite struct SnapserverSettingsTests {
  private func read(_ text: String) -> SnapserverSettings { SnapserverSettings(Array(text.utf8)) }

  @Test("Missing settings have the server's defaults")
  func defaults() {
    let settings = read("")
    #expect(settings.sources == [] && settings.format == "48000:16:2" && settings.bufferMilliseconds == 1_000)
    #expect(settings.port == 1_705 && settings.scripts == "/usr/share/snapserver/plug-ins")
  }

  @Test("Sources, format, buffer and ports are read only from their sections")
  func sections() {
    let settings = read(
      """
      buffer = 1
      # [stream]
      [http]
      port = 7
      buffer = 2
      [stream]
      #buffer = 3
        buffer\t=  1500\u{20}
      port = 1704
      sampleformat = 44100:16:2\r
      plugin_dir = /opt/scripts
      source = pipe:///run/a%20b?name=Kitchen%20Radio&sampleformat=48000:16:2&codec=pcm&controlscript=x
      source = tcp://127.0.0.1:4953?mode=server&name=tcp
      source = pipe:///run/c
      source = nonsense
      source
      [tcp]
      port=1805
      """)
    #expect(settings.bufferMilliseconds == 1_500 && settings.port == 1_805 && settings.scripts == "/opt/scripts")
    #expect(settings.format == "44100:16:2" && settings.sources.count == 2)
    let first = settings.sources.first
    #expect(first?.scheme == "pipe" && first?.path == "/run/a b" && first?.name == "Kitchen Radio")
    #expect(first?.format == "48000:16:2" && first?.script == "x")
    #expect(settings.sources.last?.path == "" && settings.sources.last?.format == nil)
  }

  @Test("An invalid number is unknown; JSON-RPC may be off")
  func numbers() {
    #expect(read("[stream]\nbuffer = much").bufferMilliseconds == nil)
    #expect(read("[stream]\nbuffer = -5").bufferMilliseconds == nil)
    #expect(read("[tcp]\nport = 99999").port == nil)
    #expect(read("[tcp]\nenabled = false").port == nil && read("[tcp]\nenabled = true").port == 1_705)
  }

  @Test("Little of any file is stored")
  func hostile() {
    var random = SeededGenerator(26)
    let words = ["[stream]", "\n", "source", "=", "pipe://", "/%4", "?name=", "&", "%", "\u{0}", "é", "#", "[", "]"]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      #expect(read(text.joined()).sources.allSatisfy { $0.path.utf8.count <= 4_096 })
    }
    #expect(read("[stream]\n" + String(repeating: "source = pipe:///a?name=b\n", count: 1_000)).sources.count == 64)
    #expect(read("[stream]\nsource = pipe:///a?name=" + String(repeating: "b", count: 5_000)).sources == [])
  }
}
