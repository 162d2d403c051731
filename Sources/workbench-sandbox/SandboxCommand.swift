import ArgumentParser
import CPackedRelocations
import Dispatch
import POSIX
import Sandbox

@main
struct SandboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workbench-sandbox",
    abstract: "A small server to try the workbench on: an API and an S3-like storage, on two loopback ports.",
    discussion: """
      Prints one JSON line, {"api": …, "storage": …, "token": …}, when it is ready, and serves until SIGTERM or SIGINT.
      """)

  @Option(help: ArgumentHelp("The API's port; 0 picks a free one.", valueName: "port"))
  var apiPort: UInt16 = 0

  @Option(help: ArgumentHelp("Storage's port; 0 picks a free one.", valueName: "port"))
  var storagePort: UInt16 = 0

  @Option(help: "The API's bearer token. (default: a random one)")
  var token: String?

  @Option(help: ArgumentHelp("Keep objects here. (default: a temporary directory)", valueName: "dir"))
  var data: String?

  @Option(help: ArgumentHelp("Append one JSON line per request to this file.", valueName: "file"))
  var log: String?

  @Option(
    name: .customLong("fault"),
    help: ArgumentHelp(
      "What should go wrong, and at which step (\(SandboxFault.stepNames)): \(SandboxFault.usages.joined(separator: ", ")).",
      valueName: "name[@step]"),
    transform: SandboxFault.init(parsing:))
  var faults: [SandboxFault] = []

  func validate() throws {
    if let token, token.isEmpty || !token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      throw ValidationError("A token is one or more visible ASCII characters, without spaces.")
    }
  }

  func run() async throws {
    var options = SandboxOptions()
    options.apiPort = Int(apiPort)
    options.storagePort = Int(storagePort)
    options.token = token
    options.dataDirectory = data
    options.logFile = log
    options.faults = faults

    signal(SIGPIPE, SIG_IGN)
    let (endings, end) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { end.finish() }
      source.resume()
      return source
    }
    defer { sources.forEach { $0.cancel() } }

    try await Sandbox.run(options) { endpoints in
      print(endpoints.readyLine)
      fflush(nil)
      for await _ in endings {}
    }
  }
}
