import BakeliteAsync

let arguments = CommandLine.arguments
guard arguments.count == 3, let output = OutputRequest(arguments[2]) else {
  fatalError("Say what to play and where, such as: AsyncPlayer http://radio.example:8000/live alsa:default")
}
let radio = try await AsyncRadio(RadioSettings(), output)
let events = radio.events
await radio.tune(StationRequest(url: arguments[1]))
for await event in events {
  switch event {
  case .metadataChanged(let title, _): print(title.text)
  case .badContent(_, let message), .missingContent(_, let message): print(message)
  case .stopped: await radio.close()
  case .summary(let summary): print("Heard \(summary.heard) s.")
  default: break
  }
}
