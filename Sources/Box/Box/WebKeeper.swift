import Panel
import Settings
import System

/// What the box has to do with its web panel, which is a program of its own (`bakelite-web`): whether it is on, and the
/// code by which one signs in. The control thread's.
final class WebKeeper {
  /// How it is served.
  private(set) var settings: WebSettings
  /// By which one signs in; nil where the panel is off, or the owner has set a password.
  private(set) var code: WebCode?

  /// Whether the code was drawn by this process, so that the display shows it by itself.
  private var isNew = false
  private let flag: WebFlag
  private let host: String
  private let keep: (WebCode?) -> Void
  private let end: () -> Void

  /// The web panel as the settings say, with the code that there was. `flag` tells systemd, `host` is what the machine
  /// is called; `keep` has a code written, and `finish` waits until it is.
  init(
    _ settings: WebSettings, _ code: WebCode?, flag: WebFlag, host: MachineName, keep: @escaping (WebCode?) -> Void,
    finish: @escaping () -> Void = {}
  ) {
    (self.settings, self.code, self.flag, self.keep, end) = (settings, code, flag, keep, finish)
    self.host = host.local
    settle()
  }

  /// Takes the settings that count; whether they are others than before.
  func use(_ settings: WebSettings) -> Bool {
    guard settings != self.settings else { return false }
    self.settings = settings
    settle()
    return true
  }

  /// Somebody signed in: the code need not be shown any more.
  func noteLogin() {
    guard let code, !code.isUsed else { return }
    self.code?.isUsed = true
    keep(self.code)
  }

  /// What the display is to show to those who want to sign in; nil: there is no code.
  var panelCode: PanelWebCode? {
    code.map {
      PanelWebCode(address: settings.address(of: host), code: $0.text, isNew: isNew, isUsed: $0.isUsed)
    }
  }

  /// Has a code drawn, or forgotten, and tells systemd whether the panel is on.
  private func settle() {
    if settings.needsCode != (code != nil) {
      (code, isNew) = settings.needsCode ? (.draw(), true) : (nil, false)
      keep(code)
    }
    if let problem = flag.show(settings) { log(.warning, problem) }
  }

  /// Writes what is not yet written, and ends the thread.
  func finish() { end() }
}

extension WebKeeper {
  /// The web panel of a box, with its code in the folder of the saved state, kept there by a thread of its own from the
  /// first change until `finish`.
  convenience init(
    _ configuration: Configuration, _ clock: Clock, flag: WebFlag = WebFlag(), host: MachineName = .own
  ) {
    let file = WebCodeFile(folder: configuration.statePath)
    var disk: FileWriter<WebCode?>?
    func keep(_ code: WebCode?) {
      let writer = disk ?? FileWriter("web", clock) { code throws(SettingsError) in try file.save(code) }
      disk = writer
      writer.give(code)
    }
    let (code, problem) = file.load()
    if let problem { log(.warning, problem.description) }
    self.init(configuration.web, code, flag: flag, host: host, keep: keep, finish: { disk?.finish() })
  }
}
