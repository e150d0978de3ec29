/// An AudioMuxElement that may bring its config with it (ISO 14496-3, 1.7.3): what one LOAS frame holds.
enum AudioMuxElement: Hashable, Sendable {
  /// Access units, the length of the first at the bit `position`. `isExact` says that they fill the element: then
  /// neither its length nor theirs is damaged.
  case sound(StreamMuxConfig, position: Int, isExact: Bool)
  /// A config that cannot be played.
  case refused(RefusedCodec)
  /// It asks for a config that never came.
  case unconfigured
  /// Its parts are longer than itself.
  case broken

  /// Reads an element; `known` is the config that was last sent.
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

  /// Walks over the access units to see whether they fit.
  private init(units mux: StreamMuxConfig, _ bits: BitReader, of bytes: Span<UInt8>) {
    let position = bits.position
    var bits = bits
    for _ in 0..<mux.unitCount { bits.skip(8 * Self.unitByteCount(&bits, of: bytes)) }
    bits.skip(mux.otherBitCount)
    bits.align()
    self = bits.isPastEnd ? .broken : .sound(mux, position: position, isExact: bits.bitsLeft == 0)
  }

  /// The length of an access unit in bytes (PayloadLengthInfo, table 1.44); of one that does not fit, only so much
  /// that this is plain.
  static func unitByteCount(_ bits: inout BitReader, of bytes: Span<UInt8>) -> Int {
    var byteCount = 0
    while true {
      let part = Int(bits.bits(8, of: bytes))
      byteCount += part
      if part < 255 || 8 * byteCount > bits.bitsLeft { return byteCount }
    }
  }
}
