import Testing
import Units

@testable import Http

/// Networks whose own page replies instead of the station.
@Suite struct SignInPageTests {
  @Test(
    "A redirect into another network's page asks to sign in",
    arguments: [
      ("http://10.1.2.3/login?url=x", NetworkError.signIn), ("http://192.168.0.1/guest/splash.html", .signIn),
      ("http://10.1.2.3/live", .outOfReach(.privateUse)), ("http://captive.invalid:25/", .signIn),
    ])
  func redirect(_ location: String, _ error: NetworkError) throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 302 Found\r\nLocation: \(location)\r\n\r\n")
    defer { server.close() }
    #expect(try fetch(server.url()).error == error)
  }

  @Test(
    "The page of a network that wants a sign-in is recognised by its words",
    arguments: [
      ("<html><!-- <WISPAccessGatewayParam> --></html>", true), ("<title>Hotel WiFi Login</title>", true),
      ("<input type=\"password\">", true), ("<h1>Radio Example</h1>", false), ("", false),
    ])
  func pages(_ page: String, _ isSignIn: Bool) { #expect(SignInPage.matches(page: Array(page.utf8)) == isSignIn) }
}
