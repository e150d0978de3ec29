import Blocks
import Framing
import Units

/// Invariants of Ogg, FLAC, WAV and AIFF framing.
enum ContainedLaws {
  /// Checks a stream as a whole, in pieces, after a seek, and as a file with a seek map.
  static func check(_ stream: [UInt8], _ form: StreamContainer, _ arrival: [UInt8]) {
    var recipe = Recipe(arrival.span)
    guard var framer = form.makeFramer() else { return }
    let whole = ContainedStream(stream, form, in: [0..<stream.count], by: &framer)
    let start = recipe.number(0...255) * stream.count / 256
    if start > 0 { checkSeek(to: start, in: stream, form, whole, &framer) }
    framer.reset(followsGap: false, at: 0)
    let isPassing = recipe.flag()
    let pieces = recipe.pieces(of: stream.count)
    let cut = ContainedStream(stream, form, in: pieces, passing: isPassing, by: &framer)
    expect(
      whole == cut || whole.hasPacket(passedBy: cut) || isFramedAlike(stream, form, cut, &framer),
      "what is found does not change by how a stream is cut, nor by what was read before")
    if let facts = whole.facts { checkMap(facts, stream, whole.packets) }
  }

  /// True if the stream with other bytes in place of the passed ones is framed as `cut`. The passed bytes of a metadata
  /// block may contain the header of a damaged frame, which a framer that reads them finds.
  private static func isFramedAlike(
    _ stream: [UInt8], _ form: StreamContainer, _ cut: ContainedStream, _ framer: inout any StreamFramer & ~Copyable
  ) -> Bool {
    if cut.passed.isEmpty { return false }
    for filler in [0, 1] as [UInt8] {
      var filled = stream
      for range in cut.passed { for place in range { filled[place] = filler } }
      framer.reset(followsGap: false, at: 0)
      if ContainedStream(filled, form, in: [0..<filled.count], by: &framer) == cut { return true }
    }
    return false
  }

  /// Checks framing from the byte `start`, which may be inside any structure.
  private static func checkSeek(
    to start: Int, in stream: [UInt8], _ form: StreamContainer, _ whole: ContainedStream,
    _ framer: inout any StreamFramer & ~Copyable
  ) {
    framer.reset(followsGap: true, at: start)
    let rest = ContainedStream(stream, form, in: [start..<stream.count], after: whole, by: &framer)
    expect(rest.packets.allSatisfy { $0.byteOffset >= start }, "no packet begins before the first byte")
    guard form == .wav || form == .aiff else { return }
    let known = whole.packets
    for item in rest.items {
      // After the samples, another file inside a chunk may be found.
      guard case .packet(let packet, _) = item else { break }
      let same = known.first { $0.byteOffset == packet.byteOffset }
      expect(
        same?.byteCount == packet.byteCount && same?.firstFrame == packet.firstFrame,
        "samples are cut into the same packets wherever reading begins")
    }
  }

  /// Checks the seek map of a file with known packets.
  private static func checkMap(_ facts: FramedFacts, _ stream: [UInt8], _ packets: [PacketInfo]) {
    expect((0...stream.count).contains(facts.firstByte), "sound begins within a file")
    expect(facts.length.map { $0 >= .zero } ?? true, "no file is shorter than nothing")
    let tail = stream.span.extracting(max(0, stream.count - 2_000)..<stream.count)
    let told = facts.isLengthInTail ? facts.length(byTail: tail) : nil
    expect(told.map { $0 >= .zero } ?? true, "nor is one whose end tells its length")
    let points = packets.compactMap { packet in
      packet.firstFrame.flatMap { StreamTime(checking: $0, at: packet.format.sampleRate) }
        .map { FileMap.SeekPoint(byte: packet.byteOffset, time: $0) }
    }
    for total in [nil, stream.count] {
      let map = FileMap(facts, total: total, length: told, found: points, isMeasured: total != nil)
      var last = map.firstByte
      for second in [0, 0.1, 5, 1e4, 1e12] {
        let byte = map.byte(at: StreamTime(seconds: second))
        expect(byte >= last, "later sound lies further on")
        expect(map.time(at: byte) >= .zero, "no byte sounds before the first")
        last = byte
      }
    }
  }
}
