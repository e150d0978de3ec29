import CLinux
import Glibc
import Settings

/// `bakelited`: the radio as an appliance. See `Appliance` for how it is put together.
@main struct Bakelited {
  static func main() {
    // Every thread that is made later keeps them blocked.
    let signals = Signals()
    _ = bk_lock_all()
    let launch = LaunchOptions(CommandLine.arguments.dropFirst())
    let appliance: Appliance
    do throws(SettingsErrors) {
      appliance = Appliance(launch, try launch.configuration(), signals)
    } catch {
      log(.error, error.description)
      exit(2)
    }
    exit(appliance.run())
  }
}
