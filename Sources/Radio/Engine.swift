import AudioOutput
import Blocks
import CLinux
import Decoding
import Glibc
import Network

/// The radio's memory and its three threads, assembled; the control thread's.
final class Engine {
  let arena: Arena
  let board: UnsafePointer<StatusBoard>
  let ring: UnsafePointer<BlockRing>
  /// What is on its way to files.
  let files: UnsafePointer<FileQueue>
  let netNotices: UnsafePointer<EventRing>
  let decodeNotices: UnsafePointer<EventRing>
  /// Raised when a notice waits.
  let notified: Int32
  let render: RenderThread
  let decode: DecodeThread
  let net: NetThread
  private let packets: Int32

  init(_ settings: RadioSettings, _ output: OutputRequest) throws(RadioError) {
    do throws(ArenaError) {
      arena = try Arena(MemoryBudget(blockCount: settings.blockCount).total)
    } catch {
      throw .noMemory(error)
    }
    board = StatusBoard.make(in: arena)
    ring = BlockRing.make(blockCount: settings.blockCount, in: arena)
    netNotices = EventRing.make(EventRing.netByteCount, in: arena)
    decodeNotices = EventRing.make(EventRing.decodeByteCount, in: arena)
    files = FileQueue.make(in: arena)
    let periods = PeriodRing.make(in: arena)
    let room = arena.reserve(UInt8.self, count: MemoryBudget.decoderScratch)
    notified = bk_event_open()
    packets = bk_event_open()
    do throws(SinkError) {
      render = try RenderThread(output, periods, board, taps: settings.taps, in: arena)
    } catch {
      Self.close(packets, notified)
      throw .noSink(error)
    }
    arena.seal()
    let depth: SampleDepth = render.depth == 24 ? .bits24 : settings.hasDither ? .bits16Dithered : .bits16
    let means = DecodeMeans(
      ring: ring, periods: periods, notices: decodeNotices, board: board, depth: depth,
      isMono: settings.isMono, ratePolicy: render.ratePolicy, isFree: render.isFree, wake: packets,
      renderWake: render.wakeDescriptor,
      notified: notified)
    var decoding: DecodeThread?
    do throws(ThreadError) {
      try render.start()
      let decode = try DecodeThread(means, room: room)
      decoding = decode
      net = try NetThread(ring, netNotices, board, hold: settings.hold, packets: packets, notified: notified)
      self.decode = decode
    } catch {
      // Before the flags that they wait for are closed.
      decoding?.stop()
      render.stop()
      Self.close(packets, notified)
      throw .noThread(error)
    }
    if render.absence == nil { render.run() }
  }

  deinit {
    stop()
    Self.close(packets, notified)
  }

  private static func close(_ descriptors: Int32...) { for descriptor in descriptors { Glibc.close(descriptor) } }

  /// Ends the threads from the source to the sink; safe to call twice.
  func stop() {
    net.quit()
    decode.stop()
    render.stop()
  }
}
