import Blocks
import Http
import Units

/// The parts that every source of a programme shares. Net thread only.
struct ProgrammeContext {
  let engine: HttpEngine
  let search = StationSearch()
  let report: ProgrammeReport
  let output: ProgrammeOutput

  /// `onPackets` is called for packets that a reader awaits.
  init(_ engine: HttpEngine, _ memory: NetMemory, onPackets: @escaping () -> Void) {
    self.engine = engine
    output = ProgrammeOutput(
      BlockWriter(memory.ring), memory.setups, MetadataFeeds(engine), memory.notices, memory.board,
      raisePackets: onPackets)
    report = ProgrammeReport(output)
  }

  var now: MonotonicTime { engine.clock.now() }

  var faults: AddressFaults { search.faults }
}
