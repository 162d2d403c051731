internal import ArgumentParser
internal import Formats
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench queue`: scripts waiting for a network.
struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", _superCommandName: Workbench.name,
    abstract: "Record scripts to be run later, and run them when there is a network.",
    discussion: """
      Operations with the same key are performed in the order in which they were added. Several processes may drain \
      one queue; the others take over what a process that died was at, and what must happen at most once does. With \
      --store postgres://user@host/database the queue is on a server, for workers on several machines: queue migrate \
      makes it, queue work performs what is in it. The password is in PGPASSWORD or the file PGPASSFILE names; the \
      server's certificate is verified unless it is on this machine.
      """,
    subcommands: [
      Add.self, Run.self, List.self, Show.self, Retry.self, Drop.self, Work.self, Status.self, Migrate.self,
    ])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Record that a script is to be run. It is checked; nothing is sent.",
      discussion: """
        Prints the number of the operation. The script's text is kept as it is now; files that it sends, and \
        environment variables, are read when it runs. On a server, a script that reads files is refused unless \
        --shared-files says that they are wherever it may run.
        """)

    @Argument(help: "The script; - is standard input.", completion: .script)
    var file: String

    @Argument(help: "The sequence to run instead of the file's own steps.", completion: .sequence)
    var sequence: String?

    @OptionGroup var settings: SettingOptions

    @Option(help: "Perform it after all that were added under this key.")
    var key: String?

    @Flag(help: "With a store on a server: each worker has the files that it reads, under the same paths.")
    var sharedFiles = false

    @OptionGroup var options: StoreOptions

    @OptionGroup var colors: ColorOptions

    func run() async throws {
      var world = World.real(color: colors.color)
      let given = try settings.take(into: &world)
      try await QueueRun(world: world, directory: options.store)
        .add(file: file, sequence: sequence, settings: given, key: key, sharesFiles: sharedFiles).check()
    }
  }

  struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: "Perform what is waiting.",
      discussion: """
        Prints a line per operation. What fails for a reason that may pass is attempted up to five times; when no \
        server can be reached it waits for the next `queue run`. Exit codes are those of `workbench run`.
        """)

    @Option(name: .shortAndLong, help: "How many at once.")
    var jobs = 1

    @OptionGroup var performing: PerformingOptions

    @OptionGroup var options: StoreOptions

    @OptionGroup var colors: ColorOptions

    func validate() throws {
      if !(1...64).contains(jobs) { throw ValidationError("--jobs is from 1 to 64.") }
    }

    func run() async throws {
      var world = World.real(color: colors.color, interrupts: SignalWatcher.start())
      _ = try OutsideOptions.take(variables: performing.envFile, into: &world)
      let queue = QueueRun(
        world: world,
        amount: performing.amount, directory: options.store)
      try await queue.run(jobs: jobs).check()
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List what is not done yet.")

    @Flag(help: "Print a JSON object per operation.")
    var json = false

    @OptionGroup var options: StoreOptions

    @OptionGroup var colors: ColorOptions

    func run() async throws {
      try await QueueRun(world: .real(color: colors.color), directory: options.store).list(json: json).check()
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show an operation and the steps of its run.")

    @Argument(help: "Its number.", completion: .operation)
    var number: Int

    @OptionGroup var options: StoreOptions

    @OptionGroup var colors: ColorOptions

    func run() async throws {
      try await QueueRun(world: .real(color: colors.color), directory: options.store).show(number).check()
    }
  }

  struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "retry", abstract: "Let failed operations be retried.")

    @Argument(help: "Their numbers; without any, all that failed.", completion: .operation)
    var numbers: [Int] = []

    @OptionGroup var options: StoreOptions

    func run() async throws {
      try await QueueRun(world: .real(color: .auto), directory: options.store).retry(numbers).check()
    }
  }

  struct Drop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "drop",
      abstract: "Remove operations from the queue for good. Their runs stay and can be looked at.")

    @Argument(help: "Their numbers.", completion: .operation)
    var numbers: [Int]

    @OptionGroup var options: StoreOptions

    func run() async throws {
      try await QueueRun(world: .real(color: .auto), directory: options.store).drop(numbers).check()
    }
  }

  struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "work",
      abstract: "Perform what is waiting and what is added later, until ^C.",
      discussion: """
        To be started on each machine. A worker that is killed, or cannot reach the server of the queue, loses its \
        operations to another one after 15 seconds; those that it cannot begin, because a variable of the environment \
        is missing, it hands back.
        """)

    @Option(name: .shortAndLong, help: "How many at once.")
    var jobs = 1

    @Flag(help: "End when nothing is left that can be done now.")
    var untilEmpty = false

    @OptionGroup var performing: PerformingOptions

    @OptionGroup var options: StoreOptions

    @OptionGroup var colors: ColorOptions

    func validate() throws {
      if !(1...64).contains(jobs) { throw ValidationError("--jobs is from 1 to 64.") }
    }

    func run() async throws {
      var world = World.real(color: colors.color, interrupts: SignalWatcher.start(endsWhenTerminated: true))
      _ = try OutsideOptions.take(variables: performing.envFile, into: &world)
      let queue = QueueRun(
        world: world, amount: performing.amount, directory: options.store)
      try await queue.run(jobs: jobs, waitsForMore: !untilEmpty).check()
    }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show how much is waiting, and what slows it down.")

    @OptionGroup var options: StoreOptions

    @OptionGroup var colors: ColorOptions

    func run() async throws {
      try await QueueRun(world: .real(color: colors.color), directory: options.store).status().check()
    }
  }

  struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "migrate", abstract: "Make the tables of a queue on a server, or change those of an earlier program."
    )

    @OptionGroup var options: StoreOptions

    func run() async throws {
      try await QueueRun(world: .real(color: .auto), directory: options.store).migrate().check()
    }
  }
}
