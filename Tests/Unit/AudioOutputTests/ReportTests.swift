import AudioOutput
import Testing

/// Device descriptions in libasound's wording.
struct ReportTests {
  @Test(
    "Parts that take locks are found anywhere in the description",
    arguments: [
      ("Hardware PCM card 0 'Device' device 0 subdevice 0\n", []),
      ("Plug PCM: Hardware PCM card 0 'Device' device 0 subdevice 0\n", []),
      (
        "Plug PCM: Soft volume PCM\nControl: PCM Playback Volume\nSlave: Direct Stream Mixing PCM\n",
        ["dmix", "softvol"]
      ),
      ("Plug PCM: Rate conversion PCM (48000)\nSlave: Direct Share PCM\n", ["dshare"]),
      ("ALSA <-> PulseAudio PCM I/O Plugin\n", ["PulseAudio"]),
      ("Plug PCM: ALSA <-> PipeWire PCM I/O Plugin\n", ["PipeWire"]),
      ("ALSA <-> JACK PCM I/O Plugin\n", ["JACK"]),
    ])
  func lockers(_ description: String, _ expected: [String]) {
    #expect(AlsaReport.lockers(in: description) == expected)
  }

  @Test("A plug over nothing takes no lock", arguments: ["null", "plug:null"])
  func plug(_ device: String) throws { #expect(try AlsaReport(device: device).lockers == []) }
}
