import ArgumentParser
import Http
import Network
import Units

struct AlternativeOptionGroup: ParsableArguments {
  @Option(
    """
    Try this other address of the station if the previous address fails; may be repeated, best first. --user, \
    --header and --query do not apply to it.
    """, value: "url")
  var alternative: [String] = []

  func validate() throws {
    guard alternative.count <= AlternativeAddress.maxCount else {
      throw ValidationError("--alternative may be repeated \(AlternativeAddress.maxCount) times at most.")
    }
    var known: Set<StationAddress> = []
    for (number, text) in alternative.enumerated() {
      guard known.insert(try Self.address(text, number + 1)).inserted else {
        throw ValidationError("--alternative number \(number + 1) appears twice; remove one.")
      }
    }
  }

  /// Fails if the option has no place or several places, or repeats the place. `places`: the addresses to play.
  func check(beside places: [String]) throws {
    guard !alternative.isEmpty else { return }
    guard places.count == 1 else {
      throw ValidationError("--alternative belongs to one station; play one address or one station of your list.")
    }
    let first = try? WebAddress(written: StationAddress(places[0])).url
    for (number, text) in alternative.enumerated() where try Self.address(text, number + 1) == first {
      throw ValidationError("--alternative number \(number + 1) is the address itself; remove it.")
    }
  }

  /// The addresses in the order of preference.
  var addresses: [AlternativeAddress] { alternative.map { AlternativeAddress(url: StationAddress($0)) } }

  /// The message quotes no address, which may contain a password.
  private static func address(_ text: String, _ number: Int) throws -> StationAddress {
    do throws(NetworkError) { return try WebAddress(written: StationAddress(text)).url } catch {
      throw ValidationError("--alternative number \(number): \(error.sentence(for: StationAddress(text)))")
    }
  }
}
