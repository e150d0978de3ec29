import CLinux
import Settings

/// The program `bakelited`: reads its command line, makes the appliance and runs it until it is to end.
public enum BoxProgram {
  /// Runs the program with the arguments behind its name; the exit code: 0 ended as asked, 2 wrong use or settings.
  ///
  /// Called once, on the process's first thread and before there is any other, since all of them keep the signals
  /// blocked that this one takes.
  public static func run(_ arguments: some Sequence<String>) -> Int32 {
    let signals = Signals()
    _ = bk_lock_all()
    let launch: LaunchOptions
    switch LaunchRequest(arguments) {
    case .start(let options): launch = options
    case .tell(let text):
      print(text)
      return 0
    case .refuse(let problem):
      log(.error, problem)
      return 2
    }
    let configuration: Configuration
    do throws(SettingsErrors) {
      configuration = try launch.configuration()
      if configuration.audio.output != .room { try prepare(configuration) }
    } catch {
      log(.error, error.description)
      return 2
    }
    if configuration.audio.output == .room { return RoomBox(launch, configuration, signals, .machine).run() }
    return Appliance(launch, configuration, signals).run()
  }

  private static func prepare(_ configuration: Configuration) throws(SettingsErrors) {
    do throws(SettingsError) { try StateFolder.make(configuration.statePath) } catch { throw SettingsErrors(error) }
  }
}
