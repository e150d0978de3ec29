/// A message to publish. The broker stores a retained message for later subscribers.
struct MqttMessage: Equatable, Sendable {
  let topic: String
  let payload: String
  var isRetained = true
}
