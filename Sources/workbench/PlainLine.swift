internal import Formats
internal import LibcurlTransport
internal import Sessions
internal import Subcommands

/// A command line without options: what is typed most often, and what others start again and again.
///
/// It is read here, because the library takes longer for it than most of these commands take to run: it asks for the
/// conformances of many types, and each time the runtime looks at all that there are. What is not plain, the library
/// reads; a plain line means the same to both.
enum PlainLine {
  typealias Work = () async throws -> Void

  /// What the line wants done; nil: the library reads it.
  static func work(_ arguments: [String]) -> Work? {
    if arguments == ["--version"] { return { print(VersionText.current) } }
    guard arguments.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") }) else { return nil }
    let words = Array(arguments.dropFirst())
    switch arguments.first {
    case nil:
      return { try await PromptCommand.converse(InteractiveSession(color: .auto, historyName: "history")) }
    case "check" where !words.isEmpty:
      return { try CheckRun(world: .real(color: .auto)).run(files: words).check() }
    case "send" where !words.isEmpty:
      return {
        let world = World.sending(color: .auto)
        try await SendSubcommand(world: world).run(SentWords(words)).check()
      }
    case "run" where words.count == 1 || words.count == 2:
      return {
        var world = World.sending(color: .auto, endsWhenTerminated: true)
        world.endsWithProcess = true
        let options = ScriptOptions(sequence: words.dropFirst().first)
        try await RunSubcommand(world: world, options: options, recording: .standard).run(file: words[0]).check()
      }
    default:
      return nil
    }
  }
}

extension World {
  /// The real world of a command that is about to send something. The transport's library is opened before there is a
  /// second thread.
  static func sending(color: ColorChoice, endsWhenTerminated: Bool = false) -> World {
    CurlLibrary.prepare()
    return real(color: color, interrupts: SignalWatcher.start(endsWhenTerminated: endsWhenTerminated))
  }
}
