internal import Formats
internal import Presentation
internal import Requests
internal import Sessions
internal import SignIn
internal import Subcommands
internal import UploaderCore

/// `:auth` and `:presign`.
extension REPL {
  /// `:auth login api`; without a profile the one in use.
  mutating func auth(_ argument: String?) async {
    let words = (argument ?? "").split(separator: " ").map(String.init)
    guard let action = words.first.flatMap(SignInAction.init), words.count <= 2 else {
      return fail(ErrorReport("login, logout, status or refresh is missing", notes: [Command.auth.example]))
    }
    guard let name = words.count > 1 ? words[1] : profiles.current else {
      return fail(ErrorReport("no profile is in use", notes: [Command.auth.example]))
    }
    let printer = printer
    let nobody = SignInInteraction(say: { _ in }, open: { _ in false })
    let interaction = (world.interaction ?? nobody).saying { printer.error(StyledText($0)) }
    do throws(SignInFailure) {
      let outcome = try await session.perform(action, profile: name, of: run.sequence, with: interaction)
      printer.result(StyledText("\(outcome.sentence(profile: name, now: world.clock.now()))\n"))
    } catch {
      if let report = error.report(profile: name) { fail(report) }
    }
  }

  /// `:presign GET /key 15m`, or with a profile: `:presign s3 GET /key 15m`.
  mutating func presign(_ argument: String?) async {
    var words = (argument ?? "").split(separator: " ").map(String.init)
    let lifetime = words.count > 2 ? words.last.flatMap { WrittenDuration.parse($0) } : nil
    if lifetime != nil { words.removeLast() }
    guard words.count == 2 || words.count == 3 else {
      return fail(ErrorReport("a method and a path are missing", notes: [Command.presign.example]))
    }
    let order = PresignOrder(
      profile: words.count == 3 ? words[0] : nil, method: words[words.count - 2], path: words[words.count - 1],
      lifetime: lifetime ?? .seconds(900))
    switch await session.presign(order, of: run.sequence) {
    // Whoever asked for it is to have it: it is the one secret that is shown.
    case .success(let url): world.output.write("\(url)\n")
    case .failure(let failure): fail(failure.report)
    }
  }
}
