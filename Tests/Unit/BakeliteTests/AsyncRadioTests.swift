import BakeliteAsync
import Testing

/// The radio for asynchronous code.
struct AsyncRadioTests {
  private static func radio(isPaced: Bool = false) async throws -> AsyncRadio {
    var output = OutputRequest(.null)
    output.isPaced = isPaced
    return try await AsyncRadio(RadioSettings(), output)
  }

  /// Tunes to the file and pauses at once: however late the caller is, it does not end before.
  private static func tunePaused(_ radio: AsyncRadio) async {
    await radio.perform {
      $0.tune(Fixture.request)
      $0.pause()
    }
  }

  @Test("A file plays to its end, and the stream of events ends when the radio closes")
  func plays() async throws {
    let radio = try await Self.radio()
    let events = radio.events
    await radio.tune(Fixture.request)
    var told: [String] = []
    for await event in events {
      told.append(event.name)
      if case .stopped = event { #expect(await radio.close().heard > 1) }
    }
    #expect(told.first == "connecting" && told.contains("playing"))
    #expect(told.suffix(3) == ["fileComplete", "stopped", "summary"])
    #expect(await radio.close().heard > 1, "as the first time")
  }

  @Test("Each stream has all events from its start; an abandoned one blocks no reader")
  func streams() async throws {
    let radio = try await Self.radio(isPaced: true)
    let first = radio.events
    await Self.tunePaused(radio)
    _ = radio.events
    let last = radio.events
    await radio.stop()
    await radio.close()
    var (early, late): ([String], [String]) = ([], [])
    for await event in first { early.append(event.name) }
    for await event in last { late.append(event.name) }
    #expect(early.contains("paused") && early.suffix(2) == ["stopped", "summary"])
    #expect(!late.contains("paused") && late.suffix(2) == ["stopped", "summary"])
    for await event in radio.events { #expect(Bool(false), "\(event)") }
  }

  @Test("Requests are carried out in order, and return results")
  func orders() async throws {
    let radio = try await Self.radio(isPaced: true)
    #expect(await radio.rewind(by: 5) == .stays)
    let hasNothing = await radio.play()
    #expect(!hasNothing)
    await Self.tunePaused(radio)
    await radio.pause()
    #expect(await radio.status.state == .paused)
    await radio.stop()
    #expect(await radio.status.state == .stopped)
    #expect(await radio.play())
    await radio.close()
  }

  @Test("An error in the radio's work reaches the caller")
  func work() async throws {
    let radio = try await Self.radio()
    let wait = await radio.perform { $0.hold.waitLive }
    #expect(wait == RadioSettings().waitLive)
    await #expect(throws: RecordingError.self) { try await radio.perform { _ = try $0.keep() } }
    await radio.close()
  }

  @Test("A radio that cannot be created gives the reason")
  func refused() async {
    await #expect(throws: RadioError.self) {
      _ = try await AsyncRadio(RadioSettings(), OutputRequest(.wav("/nowhere/sound.wav")))
    }
  }

  @Test("A released radio closes")
  func dropped() async throws {
    var radio: AsyncRadio? = try await Self.radio()
    let events = try #require(radio?.events)
    radio = nil
    var told: [String] = []
    for await event in events { told.append(event.name) }
    #expect(told == ["summary"])
  }
}
