internal import POSIX
internal import Sessions
internal import SignIn

extension SignInInteraction {
  /// Somebody at this terminal.
  static func real(_ world: World) -> SignInInteraction {
    let environment = world.environment
    let input = SilentInput(descriptor: STDIN_FILENO)
    return SignInInteraction(
      say: { world.errorOutput.write($0) },
      open: { url in open(url, environment) },
      line: { input.line() },
      listen: { $0 ? input.begin() : input.end() })
  }

  /// `$BROWSER`, else the one of the desktop; over SSH there is none that somebody could see.
  private static func open(_ url: String, _ environment: [String: String]) -> Bool {
    if let browser = environment["BROWSER"], !browser.isEmpty { return start("\(browser) \"$1\"", url) }
    guard environment["SSH_CONNECTION"] == nil else { return false }
    #if canImport(Darwin)
      return start("open \"$1\"", url)
    #else
      guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return false }
      return start("command -v xdg-open >/dev/null && xdg-open \"$1\"", url)
    #endif
  }

  private static func start(_ line: String, _ url: String) -> Bool {
    switch ShellProcess.start(
      "(\(line)) >/dev/null 2>&1 &", arguments: [url], input: .null, output: .null, errorOutput: .null)
    {
    case .started(let process):
      // The shell itself ends at once, and leaves the browser alone.
      if case .exited(0) = process.wait() { return true }
      return false
    case .failed: return false
    }
  }
}
