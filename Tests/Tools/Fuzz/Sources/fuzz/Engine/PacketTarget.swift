import Blocks
import Decoding
import Units

/// Decodes packets of Vorbis, Opus, FLAC and PCM: encoded, damaged, or any bytes.
final class PacketDecoding: FuzzTarget {
  static let name = "packets"
  static let longest = 600
  static let seeds: [[UInt8]] =
    (0..<6).map { [$0, 0, 0, 0, 0, 1, 0, 2, 0, 3, 0, 0, 4] }
    + [
      [1, 1, 1, 2, 0, 30, 7, 9, 0, 1, 9, 2, 9, 9, 9, 3, 40, 1, 2, 3, 4, 5, 6, 7, 8], [5, 0, 3, 60, 1, 2, 3, 4, 5, 6],
    ]

  private let sounds = [
    EncodedSeed(.vorbis), EncodedSeed(.vorbis, channels: 2), EncodedSeed(.opus), EncodedSeed(.opus, channels: 6),
    EncodedSeed(.flac), EncodedSeed(.flac, channels: 2, bits: 24),
  ]
  private let out = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let depth = recipe.pick([SampleDepth.bits16, .bits16Dithered, .bits24])
    let setups = SetupTable()
    var decoder = PacketDecoder(depth, setups: setups)
    var count = 0
    while !recipe.isOver, count < 3 {
      count += 1
      let choice = recipe.number(0...7)
      if choice < sounds.count {
        let sound = sounds[choice]
        let setup = CodecSetup(sound.codec, sound.setup.headers.map { Self.changed($0, &recipe) })
        play(&recipe, setup, sound, setups, &decoder)
      } else {
        play(&recipe, CodecSetup(.pcm, [Self.changed(Self.pcm[choice & 1], &recipe)]), nil, setups, &decoder)
      }
      if recipe.flag() { decoder.reset() }
    }
  }

  /// Floating-point stereo, and eight channels of 24 bits in the extensible format.
  private static let pcm: [[UInt8]] = [
    [3, 0, 2, 0, 0x80, 0xBB, 0, 0, 0, 0xDC, 5, 0, 8, 0, 32, 0],
    [0xFE, 0xFF, 8, 0, 0x80, 0xBB, 0, 0, 0, 0x94, 0x11, 0, 24, 0, 24, 0, 22, 0, 24, 0, 0x3F, 6, 0, 0, 1, 0]
      + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71],
  ]

  /// Sometimes changes a few bytes.
  private static func changed(_ bytes: [UInt8], _ recipe: inout Recipe) -> [UInt8] {
    var bytes = bytes
    let choice = recipe.byte()
    for _ in 0..<(choice < 192 ? 0 : choice & 3) { bytes[recipe.number(0...bytes.count - 1)] ^= recipe.byte() }
    return bytes
  }

  private func play(
    _ recipe: inout Recipe, _ setup: CodecSetup, _ sound: EncodedSeed?, _ setups: SetupTable,
    _ decoder: inout PacketDecoder
  ) {
    let rate = SampleRate(checking: sound?.rate ?? 48_000) ?? .cd
    let format = PacketFormat(
      codec: setup.codec, sampleRate: rate, channels: UInt8(sound?.channels ?? 2), setup: setups.number(of: setup))
    for _ in 0..<recipe.number(1...6) {
      let choice = Int(recipe.byte())
      var bytes: [UInt8]
      if let sound, choice < 200 {
        bytes = Self.changed(sound.packets[choice % sound.packets.count], &recipe)
        if choice > 190 { bytes = Array(bytes.prefix(recipe.number(0...bytes.count))) }
      } else {
        bytes = recipe.take(recipe.number(0...100))
      }
      guard !bytes.isEmpty else { continue }
      var info = PacketInfo(
        format: format, byteCount: bytes.count, duration: StreamTime(frames: FrameCount(960), at: rate), byteOffset: 0,
        followsGap: choice == 199)
      (info.mutedHead, info.mutedTail) = (choice & 64, choice & 32)
      decode(info, bytes, in: choice & 16 != 0, &decoder)
    }
  }

  /// Decodes a packet in one or two pieces. The buffer has exactly the packet's size, so that a sanitizer detects reads
  /// beyond it.
  private func decode(_ info: PacketInfo, _ bytes: [UInt8], in pieces: Bool, _ decoder: inout PacketDecoder) {
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + PacketDecoder.guardByteCount)
    defer { room.deallocate() }
    let first = pieces ? (bytes.count + 1) / 2 : bytes.count
    room.update(from: bytes, count: first)
    var left = bytes[first...]
    let pcm = try? decoder.decode(room, info, firstCount: first) { next in
      let piece = Array(left)
      next.update(from: piece, count: piece.count)
      left = []
      return piece.count
    }
    expect(left.isEmpty, "a packet is read to its end whatever comes of it")
    guard let pcm, pcm.frameCount > 0, let start = out.baseAddress else { return }
    expect(pcm.channels == 1 || pcm.channels == 2, "a programme has one channel or two")
    expect(pcm.frameCount <= 65_536, "no packet has more than 65,536 frames")
    let audible = info.audible(of: pcm.frameCount)
    expect(audible.lowerBound >= 0 && audible.upperBound <= pcm.frameCount, "what is heard of a packet lies in it")
    for offset in stride(from: 0, to: pcm.frameCount, by: Period.frameCapacity) {
      let count = min(Period.frameCapacity, pcm.frameCount - offset)
      decoder.copy(pcm, from: offset, count: count, to: start)
      expect(out[..<(2 * count)].allSatisfy { (-8_388_608...8_388_607).contains($0) }, "samples keep to 24 bits")
    }
  }
}
