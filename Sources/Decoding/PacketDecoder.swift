import Blocks
import Units

/// Decodes the packets of a programme, whatever they are, and goes on when their format changes.
///
/// Belongs to the decode thread. A new codec or an AAC stream of another shape gets a new decoder.
public struct PacketDecoder: ~Copyable {
  private let depth: SampleDepth
  private var mad: MadDecoder
  private var faad: FaadDecoder?
  private var format: PacketFormat?
  private var failures = 0

  /// Bytes behind a packet that a decoder may look at; it fills them with zeros.
  public static let guardByteCount = MadDecoder.guardByteCount

  /// A decoder whose samples are rounded to `depth`.
  public init(_ depth: SampleDepth) {
    self.depth = depth
    mad = MadDecoder(depth)
  }

  /// Begins anew: another programme, or another place in it.
  public mutating func reset() {
    mad.forget()
    faad = nil
    format = nil
    failures = 0
  }

  /// Decodes one packet; `bytes` has room for `guardByteCount` more behind it.
  ///
  /// A packet that fails is dropped by the caller, which goes on with the next; nothing here is ever fatal.
  public mutating func decode(
    _ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo
  ) throws(DecodeError) -> DecodedPcm {
    (bytes + info.byteCount).update(repeating: 0, count: Self.guardByteCount)
    if info.format != format { change(to: info.format) }
    if info.followsGap { forget() }
    do throws(DecodeError) {
      let pcm = try info.format.codec == .aac ? decodeAac(bytes, info) : mad.decode(bytes, info)
      failures = 0
      return pcm
    } catch {
      failures += 1
      if error == .resetDecoder || failures >= Self.patience { reset() }
      throw error
    }
  }

  /// So many failures in a row, and a decoder begins anew.
  private static let patience = 16

  private mutating func decodeAac(
    _ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo
  ) throws(DecodeError) -> DecodedPcm {
    if faad == nil { faad = FaadDecoder(depth) }
    guard let pcm = try faad?.decode(bytes, info) else { throw .resetDecoder }
    return pcm
  }

  /// Writes frames of the packet decoded last, two interleaved samples of 24 bits each.
  public mutating func copy(
    _ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>
  ) {
    if format?.codec == .aac {
      faad?.copy(from: offset, count: count, to: out)
    } else {
      precondition(offset == 0 && count == pcm.frameCount, "an MPEG frame fits into one period")
      mad.copy(pcm, to: out)
    }
  }

  private mutating func change(to new: PacketFormat) {
    let old = format
    format = new
    if new.codec == .aac {
      faad = nil
    } else if old?.codec != new.codec || old?.sampleRate != new.sampleRate {
      mad.forget()
    }
  }

  private mutating func forget() {
    mad.forget()
    faad?.forget()
  }
}
