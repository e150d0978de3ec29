@testable import AudioOutput
import Rendering
import Testing
import Units

struct ParsingTests {
  @Test(
    "A PCM format is parsed",
    arguments: [
      ("s16le/44100/2", .s16le, 44_100, 2), ("s24le/48000/1", .s24le, 48_000, 1),
      ("s32le/192000/2", .s32le, 192_000, 2),
      ("s16le/4000/2", .s16le, 4_000, 2),
    ] as [(String, SampleFormat, Int32, Int)])
  func formats(_ text: String, _ samples: SampleFormat, _ hertz: Int32, _ channels: Int) {
    #expect(PcmFormat(text) == PcmFormat(samples: samples, rate: SampleRate(hertz), channels: channels))
    #expect(PcmFormat(text)?.description == text)
  }

  @Test(
    "An invalid PCM format is refused",
    arguments: [
      "", "s16le", "s16le/44100", "s16le/44100/2/", "s16le/44100/3", "s16le/44100/02", "s16be/44100/2", "s8/44100/2",
      "s16le//2", "s16le/3999/2", "s16le/192001/2", "s16le/-44100/2", "s16le/44100.0/2", "S16LE/44100/2",
      "s16le/99999999999999999999/2",
    ])
  func noFormats(_ text: String) {
    #expect(PcmFormat(text) == nil)
  }

  @Test(
    "A sink is parsed",
    arguments: [
      ("alsa", .alsa("default")), ("alsa:", .alsa("default")), ("alsa:plughw:1,0", .alsa("plughw:1,0")),
      ("raw:-", .raw("-")), ("raw:/tmp/a:b.pcm", .raw("/tmp/a:b.pcm")), ("wav:a.wav", .wav("a.wav")), ("null", .null),
      ("snapcast", .snapcast("/run/bakelite-snapcast/feed")), ("snapcast:/a:b", .snapcast("/a:b")),
    ] as [(String, OutputRequest.Kind)])
  func sinks(_ text: String, _ kind: OutputRequest.Kind) {
    #expect(OutputRequest(text) == OutputRequest(kind))
  }

  @Test(
    "An invalid sink is refused",
    arguments: [
      "", ":", "raw", "raw:", "wav", "wav:", "null:", "null:a", "oss", "ALSA", "snapcast:", "snapcast:-",
    ])
  func noSinks(_ text: String) {
    #expect(OutputRequest(text) == nil)
  }

  @Test(
    "A sink uses the programme's rate within its range",
    arguments: [
      (.follow([44_100, 48_000].map { SampleRate($0) }), 44_100, 44_100),
      (.follow([44_100, 48_000].map { SampleRate($0) }), 32_000, 44_100),
      (.follow([44_100, 48_000].map { SampleRate($0) }), 96_000, 48_000),
      (.follow([SampleRate(48_000)]), 22_050, 48_000), (.follow([]), 11_025, 11_025),
      (.keepFirst, 48_000, 32_000), (.fixed(SampleRate(8_000)), 48_000, 8_000),
    ] as [(RatePolicy, Int32, Int32)])
  func rates(_ policy: RatePolicy, _ hertz: Int32, _ expected: Int32) {
    #expect(policy.rate(for: SampleRate(hertz), first: SampleRate(32_000)) == SampleRate(expected))
  }

  @Test(
    "ALSA's plug-ins are not offered as devices",
    arguments: [
      (["null", "lavrate", "speexrate", "default", "pulse"], []),
      (
        ["null", "upmix", "default", "hw:CARD=PCH,DEV=0", "sysdefault:CARD=PCH", "CARD=x"],
        ["default", "hw:CARD=PCH,DEV=0", "sysdefault:CARD=PCH"]
      ),
    ] as [([String], [String])])
  func devices(_ names: [String], _ expected: [String]) {
    #expect(AlsaDevices.playing(among: names) == expected)
  }

  @Test(
    "A fault is a sentence with a remedy",
    arguments: [
      (.noSuchDevice("hw:9", existing: []), "There is no sound device \"hw:9\", and this machine has no other;", true),
      (
        .noSuchDevice("hw:9", existing: ["a", "b"]), "There is no sound device \"hw:9\"; choose one of these: a, b.",
        true
      ),
      (.deviceBusy("hw:0"), "The sound device \"hw:0\" is in use by another program; stop that program,", true),
      (.deviceForbidden("hw:0"), "The sound device \"hw:0\" cannot be opened by this user; add the user to", true),
      (.deviceUnsuitable("hw:0", what: "8000 Hz"), "The sound device \"hw:0\" does not support 8000 Hz; choose", true),
      (.deviceFailed("hw:0", message: "input/output error"), "The sound device \"hw:0\" failed: input/output", true),
      (.fileFailed(path: "a.wav", errno: 28), "Could not write to a.wav: no space left on device.", false),
      (.fileFailed(path: "-", errno: 32), "Could not write to standard output: the program that read it ended.", false),
      (.terminal(path: "-"), "Audio is not written to standard output, a terminal; redirect it to", false),
    ] as [(SinkError, String, Bool)])
  func errors(_ error: SinkError, _ beginning: String, _ isHardware: Bool) {
    #expect(error.description.hasPrefix(beginning))
    #expect(error.description.hasSuffix("."))
    #expect(error.isHardware == isHardware)
  }
}
