import CLinux
import Control
import HomeAssistant
import Panel
import Settings
import System
import Units

/// Publishes the box's state to Home Assistant, and translates its commands for the panel. Control thread only.
final class HomeBridge {
  private let presets: PresetController
  /// Name of the broker in messages; empty if no broker is configured.
  private var name: String
  private var link: HomeLink?
  private var absence: String?

  private var names: [String] = []
  private var options = PresetOptions([])
  private var lastPosted: RadioSnapshot?
  private var state = LinkState.connecting

  /// Connects to the configured broker, if any. Commands wake the control thread (`bk_watch`).
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

  /// Publishes the state if it changed.
  func publish(_ model: PanelModel) {
    guard let link else { return }
    let names = presets.catalog.entries.map(\.settings.name)
    if names != self.names { (self.names, options) = (names, PresetOptions(names)) }
    var snapshot = RadioSnapshot(model.view, options)
    snapshot.replacement = model.replacement
    if snapshot != lastPosted {
      link.post(snapshot)
      lastPosted = snapshot
    }
    updateState(link.state)
  }

  /// Removes and returns the orders received since the last call.
  func removeOrders() -> [HomeOrder] { link?.removeOrders() ?? [] }

  /// Translates an order to the panel's orders.
  func orders(_ order: HomeOrder, _ model: PanelModel) -> [PanelOrder] { PanelOrder.orders(order, model.view, options) }

  var due: MonotonicTime { link?.due ?? .never }

  private func updateState(_ state: LinkState) {
    guard state != self.state else { return }
    self.state = state
    switch state {
    case .connecting: break
    case .connected(true): log(.notice, "Home Assistant's broker \(name) is connected.")
    case .connected(false):
      log(.warning, "Home Assistant's broker \(name) does not allow the radio to subscribe to its commands.")
    case .failed(let fault): log(.warning, "Home Assistant: \(fault.words(about: name)); the radio tries again.")
    }
  }

  func addStatus(to answer: inout ControlAnswer) {
    guard !name.isEmpty else { return }
    answer.add("mqtt", link == nil ? "off" : state.word)
    if case .failed(let fault) = state { answer.add("mqtt_fault", fault.words(about: name)) }
    answer.add("mqtt_fault", absence)
  }

  /// Starts to disconnect; does not wait.
  func stop() { link?.stop() }

  /// Waits for the end of the connection, at most 1 s from `stop`.
  func finish() { link?.finish(within: Duration(milliseconds: 1_000)) }
}

extension LinkState {
  fileprivate var word: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected"
    case .failed(let fault): fault.isRefusal ? "refused" : "connecting"
    }
  }
}
