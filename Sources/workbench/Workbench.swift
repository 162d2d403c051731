internal import ArgumentParser

/// The command and its subcommands; without one, the prompt.
@main
struct Workbench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workbench",
    abstract: "Explore HTTP APIs at a prompt, replay saved request sequences, keep tokens at home.",
    discussion: """
      Without a subcommand workbench is a prompt: type a request, refer to its answer as $1 in the next.
      """,
    version: "0.1.0",
    subcommands: [PromptCommand.self, RunCommand.self],
    defaultSubcommand: PromptCommand.self)
}
