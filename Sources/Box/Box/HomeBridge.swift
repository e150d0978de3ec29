import CLinux
import Control
import HomeAssistant
import Network
import Panel
import Settings
import System
import Units

/// The box in Home Assistant: tells the link what changed, and makes orders of the panel's kind of those that come. The
/// control thread's.
final class HomeBridge {
  private let presets: PresetController
  /// What the broker goes by; empty where none is named.
  private var name: String
  private var link: HomeLink?
  /// Why there is no link though a broker is named.
  private var absence: String?

  private var names: [String] = []
  private var options = PresetOptions([])
  private var told: RadioSnapshot?
  private var state = LinkState.connecting

  /// Links a box to the broker that its settings name, if they do; orders wake the control thread by a set of
  /// descriptors (`bk_watch`). What keeps the link from being made goes to the log.
  init(_ configuration: Configuration, _ board: Board, _ presets: PresetController, watch: Int32, _ clock: Clock) {
    self.presets = presets
    let settings = configuration.mqtt
    name = settings.server?.description ?? ""
    do throws(SettingsError) {
      guard let broker = try Broker(settings) else { return }
      name = broker.name
      link = start(broker, .own(name: settings.deviceName, model: board.title, version: Version.text), clock)
    } catch {
      absence = error.description
    }
    if let link { bk_watch(watch, link.descriptor, false) }
    if let absence { log(.error, "The radio is not in Home Assistant. \(absence)") }
  }

  private func start(_ broker: Broker, _ identity: DeviceIdentity, _ clock: Clock) -> HomeLink? {
    do throws(ThreadError) { return try HomeLink(broker, identity, clock) } catch {
      absence = error.description
      return nil
    }
  }

  /// Tells what the box does, where that changed; what Home Assistant asked for since the last time.
  func orders(_ model: PanelModel) -> [PanelOrder] {
    guard let link else { return [] }
    let names = presets.catalog.entries.map(\.settings.name)
    if names != self.names { (self.names, options) = (names, PresetOptions(names)) }
    let snapshot = RadioSnapshot(model.view, options)
    if snapshot != told {
      link.post(snapshot)
      told = snapshot
    }
    let orders = link.takeOrders().flatMap { PanelOrder.orders($0, model.view, options) }
    note(link.state)
    return orders
  }

  /// When to ask for orders though nothing woke the control thread.
  var due: MonotonicTime { link?.due ?? .never }

  private func note(_ state: LinkState) {
    guard state != self.state else { return }
    self.state = state
    switch state {
    case .connecting: break
    case .connected(true): log(.notice, "Home Assistant's broker \(name) is connected.")
    case .connected(false): log(.warning, "Home Assistant's broker \(name) denies the radio its orders.")
    case .failed(let fault): log(.warning, "Home Assistant: \(fault.words(about: name)); the radio tries again.")
    }
  }

  /// Tells clients how the box stands to its broker; nothing where none is named.
  func addStatus(to answer: inout ControlAnswer) {
    guard !name.isEmpty else { return }
    answer.add("mqtt", link == nil ? "off" : state.word)
    if case .failed(let fault) = state { answer.add("mqtt_fault", fault.words(about: name)) }
    answer.add("mqtt_fault", absence)
  }

  /// Has its thread take leave of the broker, and waits for nothing.
  func stop() { link?.stop() }

  /// Takes leave of the broker, in a second at most from `stop` on.
  func finish() { link?.finish(within: Duration(milliseconds: 1_000)) }
}

extension LinkState {
  /// For programs.
  fileprivate var word: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected"
    case .failed(let fault): fault.isRefusal ? "refused" : "connecting"
    }
  }
}
