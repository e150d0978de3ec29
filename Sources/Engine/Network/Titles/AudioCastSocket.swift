import CLinux
import System

/// UDP socket for titles from the stream's server (AudioCast). Net thread only.
final class AudioCastSocket {
  let port: Int
  var descriptor: Int32 { socket.raw }
  /// Numeric address of the stream's server. Other datagrams are ignored; nil ignores all.
  var host: String?

  private let socket: Descriptor
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: AudioCastDatagram.maxByteCount + 1, alignment: 8)
  /// Maximum number of datagrams per `receive`, so that a flood cannot block the thread.
  private static let maxDatagrams = 16

  init?() {
    var port: Int32 = 0
    socket = Descriptor(bk_datagram_open(&port))
    self.port = Int(port)
    if !socket.isOpen { return nil }
  }

  deinit { buffer.deallocate() }

  func receive(_ titles: TitleText) -> [AudioCastDatagram] {
    var told: [AudioCastDatagram] = []
    var peer = bk_peer()
    for _ in 0..<Self.maxDatagrams {
      let count = bk_datagram_read(descriptor, buffer.baseAddress, buffer.count, &peer)
      guard count >= 0 else { break }
      guard count <= AudioCastDatagram.maxByteCount, let host, bk_peer_is(&peer, host) else { continue }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      let datagram = bytes.withMemoryRebound(to: UInt8.self) { AudioCastDatagram($0.span, titles) }
      guard let datagram else { continue }
      if let answer = datagram.acknowledgement { bk_datagram_answer(descriptor, answer, answer.count, &peer) }
      told.append(datagram)
    }
    return told
  }
}
