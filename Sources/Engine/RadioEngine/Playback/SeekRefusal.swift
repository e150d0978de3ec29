/// The reason for refusing a seek.
public enum SeekRefusal: Hashable, Sendable {
  /// A recording is running, and data from outside the buffer would break its order.
  case recording

  /// A sentence for people.
  public var sentence: String {
    "This place is not in the buffer, and going there would mix up the recording. End the recording first."
  }
}
