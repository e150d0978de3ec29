import CLinux
import Settings
import System

/// The program `bakelited`: reads its command line and runs the box.
public enum BoxProgram {
  /// Runs the program with the arguments after its name. Returns the exit code: 0 after a normal end, 2 for wrong usage
  /// or settings.
  ///
  /// Call once on the first thread of the process, before any other thread starts: all threads inherit the blocked
  /// signals.
  public static func run(_ arguments: some Sequence<String>) -> Int32 {
    let signals = Signals()
    _ = bk_lock_all()
    let launch: LaunchOptions
    switch LaunchRequest(arguments) {
    case .start(let options): launch = options
    case .showText(let text):
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
    if let fault = configuration.memoryFault(of: MachineMemory.byteCount) { throw SettingsErrors(fault) }
    do throws(SettingsError) { try StateFolder.make(configuration.statePath) } catch { throw SettingsErrors(error) }
  }
}
