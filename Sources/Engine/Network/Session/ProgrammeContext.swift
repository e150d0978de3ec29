import Blocks
import Http
import Units

/// The parts that every source of a programme shares. Net thread only.
struct ProgrammeContext {
  let engine: HttpEngine
  let search = StationSearch()
  let report: ProgrammeReport
  let output: ProgrammeOutput

  /// `onPackets` is called for packets that a reader awaits, `onNotice` for each notice, `onList` for an opened list.
  init(
    _ engine: HttpEngine, _ memory: NetMemory, onPackets: @escaping () -> Void, onNotice: @escaping () -> Void,
    onList: @escaping (FileList) -> Void
  ) {
    let notices = NoticeSender(memory.notices, raise: onNotice, onList: onList)
    self.engine = engine
    output = ProgrammeOutput(
      BlockWriter(memory.ring), memory.setups, MetadataFeeds(engine), notices, memory.board, raisePackets: onPackets)
    report = ProgrammeReport(output)
  }

  var now: MonotonicTime { engine.clock.now() }

  var faults: AddressFaults { search.faults }
}
