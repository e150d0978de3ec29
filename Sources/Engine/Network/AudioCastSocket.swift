import CLinux
import System

/// The port at which a server tells titles by UDP. The net thread's.
final class AudioCastSocket {
  /// Where datagrams are expected.
  let port: Int
  /// What poll(2) can wait for.
  var descriptor: Int32 { socket.raw }
  /// The numeric address of the stream's own server: nobody else is listened to. Nil: nobody is.
  var host: String?

  private let socket: Descriptor
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: AudioCastDatagram.longest + 1, alignment: 8)
  /// So many datagrams are looked at before anything else is.
  private static let most = 16

  /// Takes a free port; nil where there is none.
  init?() {
    var port: Int32 = 0
    socket = Descriptor(bk_datagram_open(&port))
    self.port = Int(port)
    if !socket.isOpen { return nil }
  }

  deinit { buffer.deallocate() }

  /// What the server has told since it was last asked; each is acknowledged.
  func receive(_ titles: TitleText) -> [AudioCastDatagram] {
    var told: [AudioCastDatagram] = []
    var peer = bk_peer()
    for _ in 0..<Self.most {
      let count = bk_datagram_read(descriptor, buffer.baseAddress, buffer.count, &peer)
      guard count >= 0 else { break }
      guard count <= AudioCastDatagram.longest, let host, bk_peer_is(&peer, host) else { continue }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      let datagram = bytes.withMemoryRebound(to: UInt8.self) { AudioCastDatagram($0.span, titles) }
      guard let datagram else { continue }
      if let answer = datagram.acknowledgement { bk_datagram_answer(descriptor, answer, answer.count, &peer) }
      told.append(datagram)
    }
    return told
  }
}
