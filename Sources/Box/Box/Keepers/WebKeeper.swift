import Panel
import Settings
import System

/// The web panel's switch and sign-in code; the panel is a separate program (`bakelite-web`). Control thread only.
final class WebKeeper {
  private(set) var settings: WebSettings
  /// The code for signing in; nil if the panel is off or the owner has set a password.
  private(set) var code: WebCode?
  /// The code for the panel, made once for each change, because the panel reads it in each iteration.
  private(set) var panelCode: PanelWebCode?

  /// True if this process created the code; then the display shows it without a request.
  private var isNew = false
  private let flag: WebFlag
  private let host: String
  private let onSave: (WebCode?) -> Void
  private let end: () -> Void

  /// `flag` informs systemd; `onSave` starts a write of the code; `finish` waits for the last write.
  init(
    _ settings: WebSettings, _ code: WebCode?, flag: WebFlag, host: MachineName, keep: @escaping (WebCode?) -> Void,
    finish: @escaping () -> Void = {}
  ) {
    self.settings = settings
    self.code = code
    self.flag = flag
    self.host = host.local
    onSave = keep
    end = finish
    updateCodeAndFlag()
  }

  func use(_ settings: WebSettings) -> Bool {
    guard settings != self.settings else { return false }
    self.settings = settings
    updateCodeAndFlag()
    return true
  }

  /// Records a sign-in; the display need not show the code any more.
  func recordLogin() {
    guard let code, !code.isUsed else { return }
    self.code?.isUsed = true
    panelCode = makePanelCode()
    onSave(self.code)
  }

  private func makePanelCode() -> PanelWebCode? {
    code.map {
      PanelWebCode(address: settings.address(of: host), code: $0.text, isNew: isNew, isUsed: $0.isUsed)
    }
  }

  private func updateCodeAndFlag() {
    if settings.needsCode != (code != nil) {
      (code, isNew) = settings.needsCode ? (.draw(), true) : (nil, false)
      onSave(code)
    }
    panelCode = makePanelCode()
    if let problem = flag.update(settings) { log(.warning, problem) }
  }

  func finish() { end() }
}

extension WebKeeper {
  /// Loads the code from the state folder. A separate thread writes changes, from the first change until `finish`.
  convenience init(
    _ configuration: Configuration, _ clock: Clock, flag: WebFlag = WebFlag(), host: MachineName = .own
  ) {
    let file = WebCodeFile(folder: configuration.statePath)
    var disk: FileWriter<WebCode?>?
    func keep(_ code: WebCode?) {
      let writer = disk ?? FileWriter("web", clock) { code throws(SettingsError) in try file.save(code) }
      disk = writer
      writer.submit(code)
    }
    self.init(configuration.web, file.loadLogged(), flag: flag, host: host, keep: keep, finish: { disk?.finish() })
  }
}
