/// What the net thread was told and has not done yet: many orders, folded into one that comes to the same.
struct NetOrders {
  /// What is done to the programme, the one tuned to last or the one that runs.
  enum Act {
    case rest
    case resume
    case stop
  }

  /// The programme to begin first.
  private(set) var tune: (request: StationRequest, epoch: UInt32)?
  /// What is done then.
  private(set) var act: Act?
  /// Whether the thread ends.
  var quits = false

  /// Begins a programme; nothing that was said of another one counts.
  mutating func tune(_ request: StationRequest, epoch: UInt32) {
    tune = (request, epoch)
    act = nil
  }

  /// A stop leaves nothing to begin, to rest or to resume.
  mutating func post(_ new: Act) {
    if act == .stop { return }
    if new == .stop { tune = nil }
    act = new
  }
}
