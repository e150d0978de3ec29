import Blocks
import Http
import Units

/// The parts that every source of a programme shares. Net thread only.
struct ProgrammeContext {
  let engine: HttpEngine
  let search: StationSearch
  let report: ProgrammeReport
  let output: ProgrammeOutput
  /// Nil without memory for second connections.
  let secondWindow: SecondWindow?

  /// `onPackets` is called for packets that a reader awaits. `standby`: the ring of a programme that is not heard.
  init(
    _ engine: HttpEngine, _ memory: NetMemory, _ search: StationSearch = StationSearch(),
    standby: UnsafePointer<BlockRing>? = nil, _ secondWindow: SecondWindow? = nil, onPackets: @escaping () -> Void
  ) {
    (self.engine, self.search, self.secondWindow) = (engine, search, secondWindow)
    output = ProgrammeOutput(
      memory, standby: standby, programme: search.programme, MetadataFeeds(engine), raisePackets: onPackets)
    report = ProgrammeReport(output)
  }

  var now: MonotonicTime { engine.clock.now() }

  var faults: AddressFaults { search.faults }
}
