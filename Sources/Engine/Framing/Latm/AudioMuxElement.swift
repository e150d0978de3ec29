/// The AudioMuxElement in a LOAS frame, which may contain its own config (ISO 14496-3, 1.7.3).
enum AudioMuxElement: Hashable, Sendable {
  /// `position` is the bit of the first unit's length. `isExact`: the units fill the element, so no length is wrong.
  case accessUnits(StreamMuxConfig, position: Int, isExact: Bool)
  case refused(RefusedCodec)
  case unconfigured
  case broken

  init(_ bytes: Span<UInt8>, known: StreamMuxConfig?) {
    var bits = BitReader(bytes)
    let isKnown = bits.flag(of: bytes)
    if bits.isPastEnd {
      self = .broken
    } else if !isKnown {
      switch StreamMuxConfig.read(&bits, of: bytes) {
      case .config(let mux): self.init(units: mux, bits, of: bytes)
      case .refused(let codec): self = .refused(codec)
      case .broken: self = .broken
      }
    } else if let known {
      self.init(units: known, bits, of: bytes)
    } else {
      self = .unconfigured
    }
  }

  private init(units mux: StreamMuxConfig, _ bits: BitReader, of bytes: Span<UInt8>) {
    let position = bits.position
    var bits = bits
    for _ in 0..<mux.unitCount { bits.skip(8 * Self.unitByteCount(&bits, of: bytes)) }
    bits.skip(mux.otherBitCount)
    bits.align()
    self = bits.isPastEnd ? .broken : .accessUnits(mux, position: position, isExact: bits.bitsLeft == 0)
  }

  /// Reads an access unit's length in bytes (PayloadLengthInfo, table 1.44); stops when it exceeds the remaining bits.
  static func unitByteCount(_ bits: inout BitReader, of bytes: Span<UInt8>) -> Int {
    var byteCount = 0
    while true {
      let part = Int(bits.bits(8, of: bytes))
      byteCount += part
      if part < 255 || 8 * byteCount > bits.bitsLeft { return byteCount }
    }
  }
}
