import Control
import Framing
import RadioEngine
import Settings
import Station

/// An error that ends a command. The program prints its sentence and exits with the code of its outcome.
protocol CommandFault: Error {
  var outcome: Outcome { get }
  var sentence: String { get }
}

extension CommandFault {
  var outcome: Outcome { .failed }
}

extension CommandFault where Self: CustomStringConvertible {
  var sentence: String { description }
}

extension AudioFolder.Fault: CommandFault {}

extension ControlConnection.Failure: CommandFault {
  var sentence: String { DisplayText.line(description) }
}

extension ControlError: CommandFault {}

extension DirectoryPlace.Fault: CommandFault {}

extension RadioError: CommandFault {
  var outcome: Outcome { isHardware ? .noHardware : isWrongUse ? .wrongUse : .failed }
  var sentence: String { OptionAdvice.sentence(self) }
}

extension SettingsError: CommandFault {
  var outcome: Outcome { Outcome([self]) }
}

extension SettingsErrors: CommandFault {
  var outcome: Outcome { Outcome(all) }
}

extension StationError: CommandFault {}
