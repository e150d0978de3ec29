import Blocks

/// The decoder of one codec, created for its first packet. Decode thread only.
protocol Decoder: AnyObject {
  /// True if the last packet failed, or its result indicates damage.
  var isSuspect: Bool { get }

  func accepts(_ format: PacketFormat, _ setup: CodecSetup?) -> Bool

  /// Clears the state of earlier packets, for example at a gap.
  func forget()

  /// Decodes one complete packet, followed by `PacketDecoder.guardByteCount` zeros.
  func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm

  /// Copies `count` frames of the last packet from `offset` on, each two samples of 24 bits; mono is duplicated.
  func copy(_ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>)

  /// Returns the age of a probably damaged MP3 packet (`MainDataCheck.misfit`). Called if the sound is suddenly loud.
  func misfit() -> Int?
}

extension Decoder {
  func misfit() -> Int? { nil }
}
