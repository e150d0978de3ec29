import Framing
import Testing

struct OggExcessTests {
  @Test("An endless audio packet counts as skipped beyond 512 KB")
  func endless() {
    var writer = OggWriter()
    var bytes = OggSample.opusHeaders(&writer)
    let part = [UInt8](repeating: 1, count: 255 * 255)
    for number in 0..<9 { bytes += writer.page([part], granule: -1, isContinued: number > 0, isOpen: true) }
    let outcome = OggOutcome(bytes)
    #expect(outcome.packets.isEmpty && outcome.skipped == 9 * part.count - (512 << 10))
    let whole = OggOutcome(bytes + writer.page([[1]], granule: 960, isContinued: true))
    #expect(whole.packets.isEmpty && whole.skipped == 9 * part.count + 1)
  }
}
