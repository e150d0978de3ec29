import CLinux
import Glibc
import System
import Units

/// The program `bakelite-web`.
public enum WebProgram {
  /// Runs the program with the arguments after its name. Returns 0 after a normal end, 1 after a failure, 2 for wrong
  /// usage. Call once on the first thread, before any other thread starts: all threads inherit the blocked signals.
  public static func run(_ arguments: some Sequence<String>) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    bk_share_one_heap()
    switch WebLaunch(arguments) {
    case .serve(let options): return serve(options, .machine)
    case .serveByRadio(let options): return serveByRadio(options, .machine)
    case .setPassword(let path): return setPassword(path)
    case .printText(let text):
      print(text)
      return 0
    case .refuse(let problem): return fail(problem, 2)
    }
  }

  private static func serve(_ options: WebOptions, _ clock: Clock) -> Int32 {
    let signals = Descriptor(bk_signal_open())
    var options = options
    if options.listen.isEmpty, ListeningSockets.passedCount == 0 {
      options.listen = ListenAddress(Defaults.webAddress).map { [$0] } ?? []
    }
    let radioCode = options.passwordFile == nil ? radioCode(options.socket, clock) : nil
    let code = radioCode ?? AccessCode.draw()
    do throws(WebError) {
      let server = try WebServer(options, code: code, clock)
      printPlaces(where: server, options)
      if options.passwordFile == nil {
        server.shareCode(printRadioCode)
        if radioCode == nil { printError("Code: \(code)") } else { printRadioCode(code) }
      }
      if !RadioSocket.isThere(options.socket) {
        printError("No radio answers at \(options.socket) yet; --socket names another place.")
      }
      run(server, signals)
      return 0
    } catch {
      return fail(error.description, 1)
    }
  }

  /// Returns the code on the radio's display; nil if the radio has none, or is silent for a second.
  private static func radioCode(_ path: String, _ clock: Clock) -> String? {
    guard RadioSocket.isThere(path) else { return nil }
    let end = clock.now() + Duration(milliseconds: 1_000)
    do throws(WebError) {
      let code = try WebInquiry.ask(path, watching: -1, clock) { clock.now() >= end }?.code
      return code.flatMap { AccessCode.isOne($0) ? $0 : nil }
    } catch {
      return nil
    }
  }

  private static func printRadioCode(_ code: String) { printError("Code: \(code) (the code of the radio's display)") }

  /// Serves the panel until the radio's settings change. Then systemd's path unit restarts the program if the panel is
  /// still enabled.
  private static func serveByRadio(_ options: WebOptions, _ clock: Clock) -> Int32 {
    let signals = Descriptor(bk_signal_open())
    do throws(WebError) {
      let told = try WebInquiry.ask(options.socket, watching: signals.raw, clock) { bk_signal_next(signals.raw) != 0 }
      guard let orders = told else { return 0 }
      guard orders.isEnabled else {
        // The notice comes before the end, because systemd reports a failure if a service ends before "READY=1".
        ServiceNotice().send("READY=1\nSTATUS=The web panel is off.")
        return 0
      }
      let credentials = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
      var options = try orders.options(options, credentials: credentials)
      options.state = getenv("STATE_DIRECTORY").map { String(cString: $0) }
      let server = try WebServer(options, code: orders.code ?? "", clock)
      server.follow(orders)
      printPlaces(where: server, options)
      run(server, signals)
      return 0
    } catch {
      return fail(error.description, 1)
    }
  }

  private static func run(_ server: WebServer, _ signals: borrowing Descriptor) {
    let notice = ServiceNotice()
    let number = signals.raw
    notice.send("READY=1")
    server.run(watching: number) { bk_signal_next(number) != 0 }
    notice.send("STOPPING=1")
  }

  private static func printPlaces(where server: WebServer, _ options: WebOptions) {
    let scheme = options.certificate == nil ? "http" : "https"
    for place in server.places { printError("The panel is at \(scheme)://\(OwnNames.name(of: place)):\(place.port)/.") }
  }

  private static func setPassword(_ path: String) -> Int32 {
    do throws(PasswordPrompt.Refusal) {
      guard let hash = PasswordHash(of: try PasswordPrompt.ask()) else { return fail("There is no memory.", 1) }
      do throws(PasswordFileError) { try hash.write(to: path) } catch { return fail(error.description, 1) }
      let next =
        path == Defaults.webPasswordFile
        ? "write password_file = \"bakelite-web.password\" below [web], then sudo systemctl reload bakelite; where "
          + "that stands there already, sudo systemctl restart bakelite-web" : "name it by --password-file"
      printError("The password's hash is in \(path); \(next).")
      return 0
    } catch {
      return fail(error.sentence, 1)
    }
  }

  private static func fail(_ sentence: String, _ code: Int32) -> Int32 {
    printError(sentence)
    return code
  }

  private static func printError(_ text: String) { StandardError.write("bakelite-web: \(text)\n") }
}
