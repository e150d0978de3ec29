/// What is published: a topic and a text, which the broker keeps for later subscribers where it is retained.
struct MqttMessage: Equatable, Sendable {
  let topic: String
  let payload: String
  var isRetained = true
}
