import Canaries
import Foundation
import PseudoTerminal
import RealServers
import Testing

/// Signing in at a terminal whose browser is on another machine.
@Suite(
  .enabled(if: AuthorizationServer.isInstalled, "SKIPPED: python3 is not installed"), .serialized,
  .timeLimit(.minutes(2)))
struct SignInTerminalTests {
  private func terminal(_ provider: SignInProvider, _ arguments: [String]) throws -> PseudoTerminal {
    try PseudoTerminal(
      running: Workbench.executable.path, arguments,
      environment: [
        "XDG_STATE_HOME": provider.directory, "CLIENT_SECRET": SignInProvider.secret, "NO_COLOR": "1",
        "HOME": provider.directory + "/home", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22", "DISPLAY": ":0",
      ], columns: 4_000)
  }

  /// Where a browser elsewhere ends after its user has signed in: at an address that nothing serves there.
  private func signIn(at address: String) async throws -> String {
    let script = """
      import sys, urllib.error, urllib.request
      class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *arguments): return None
      try: urllib.request.build_opener(Stay).open(sys.argv[1])
      except urllib.error.HTTPError as error: print(error.headers["Location"], end="")
      """
    return String(decoding: try await Python.output(["-c", script, address]), as: UTF8.self)
  }

  private func address(in terminal: PseudoTerminal) throws -> String {
    try terminal.wait(for: "open this in a browser to sign in:\r\n")
    let line = try terminal.wait(for: "\r\n")
    try terminal.wait(for: "it is not shown:\r\n")
    return line.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func `over SSH the address at which the browser ends is pasted, and not shown`() async throws {
    let provider = try SignInProvider()
    let script = try provider.script("good")
    let terminal = try terminal(provider, ["auth", "login", "api", "--script", script.path])
    let end = try await signIn(at: try address(in: terminal))
    // Longer than a line of a terminal may be, with a slip of the finger.
    terminal.type(end + "&padding=" + String(repeating: "p", count: 5_000) + "x\u{7F}\r")
    let shown = try terminal.wait(for: "then refreshed without signing in")
    #expect(Canary.place(of: SignInProvider.mark, in: Data(shown.utf8)) == nil && !shown.contains("padding"))
    #expect(terminal.exitCode() == 0)
    #expect(terminal.modes == terminal.initialModes)
    #expect(try await provider.run(["run", script.path]).code == 0)
  }

  @Test func `an address of another sign-in is refused, and ^C ends the wait with the terminal as it was`() async throws
  {
    let provider = try SignInProvider()
    let script = try provider.script("good")
    let first = try terminal(provider, ["auth", "login", "api", "--script", script.path])
    let other = try await signIn(at: try address(in: first))
    first.type("\u{3}")
    #expect(first.exitCode() == 130)
    #expect(first.modes == first.initialModes)
    let second = try terminal(provider, ["auth", "login", "api", "--script", script.path])
    _ = try address(in: second)
    second.type("what?\r\(other)\r")
    try second.wait(for: "the browser came back with the state of another sign-in")
    #expect(second.exitCode() == 26)
  }

  @Test func `a run at a terminal asks for it, and goes on`() async throws {
    let provider = try SignInProvider()
    let script = try provider.script("good")
    let terminal = try terminal(provider, ["run", script.path])
    let end = try await signIn(at: try address(in: terminal))
    terminal.type(end + "\r")
    try terminal.wait(for: "200 OK")
    #expect(terminal.exitCode() == 0)
    #expect(terminal.modes == terminal.initialModes)
  }
}
