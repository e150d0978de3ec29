import Bakelite

let arguments = CommandLine.arguments
guard arguments.count == 3, let output = OutputRequest(arguments[2]) else {
  fatalError("Say what to play and where, such as: Player http://radio.example:8000/live alsa:default")
}
let radio = try Radio(RadioSettings(), output)
radio.addObserver { event, seconds in
  if case .metadataChanged(let title, _) = event { print(seconds, title.text) }
}
radio.tune(StationRequest(url: arguments[1]))
radio.run()
if let failure = radio.failure { print(failure.sentence) }
print("Heard \(radio.close().heard) s.")
