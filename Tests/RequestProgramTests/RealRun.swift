import Diagnostics
import Foundation
import LibcurlTransport
import RequestProgram
import RequestSyntax
import Requests
import Synchronization
import UploaderCore

/// A script that is run with real requests. Nothing is waited for: its clock advances on its own.
struct RealRun {
  var environment = ProgramEnvironment()
  var settings: [String: String] = [:]
  var sequence: String?
  /// Where its files are.
  var directory = ""
  /// Whether it may run programs.
  var isOwn = false

  struct Outcome {
    var found: [Diagnostic] = []
    var errors: [UploadError] = []
    var history = RunHistory()

    /// What went wrong, as texts: the diagnostics of the check, failed steps, unmet expectations.
    var problems: [String] {
      found.map { DiagnosticRenderer().render($0) } + errors.flatMap(Self.texts)
    }

    private static func texts(of error: UploadError) -> [String] {
      switch error.fact {
      case .expectations(let unmet, _):
        return unmet.map { "\($0.subject) should be \($0.expected), and is \($0.actual)" }
      case .sequence(let inner as ProgramError): return [DiagnosticRenderer().render(inner.diagnostic)]
      case .secretRefused(let secret, let origin):
        return ["the secret \(secret.name) may not go to \(origin)"]
      case .group(let errors): return errors.flatMap(texts)
      case .sequence, .profile, .transport, .unsaved, .journal, .framing, .cancelled, .signIn:
        return ["\(error.fact)"]
      }
    }
  }

  func run(_ script: String, name: String = "test.wb") async -> Outcome {
    var outcome = Outcome()
    var program = Program()
    outcome.found = program.add(
      Parser.parse(SourceText(name: name, text: script)), directory: directory, mayRunCommands: isOwn)
    if outcome.found.contains(where: { $0.severity == .error }) { return outcome }
    do {
      var run = SequenceRun(
        try ProgramRequestSequence(
          program, environment: environment, settings: settings.mapValues(Setting.text), running: sequence, at: .fixed))
      let time = SteppingTime()
      let uploader = Uploader(
        transport: CurlTransport(), clock: UploadClock(now: { time.now }, sleep: { time.advance(by: $0) }),
        makeBoundary: { "BOUNDARY" })
      while true {
        do {
          guard try await uploader.step(&run, groups: .atOnce) != nil else { break }
        } catch {
          outcome.errors.append(error)
        }
      }
      outcome.history = run.history
    } catch {
      outcome.errors.append(UploadError(.sequence(error)))
    }
    return outcome
  }
}

/// A clock on which waiting takes no time.
private final class SteppingTime: Sendable {
  private let time = Mutex(Duration.seconds(1_767_322_800))

  var now: Duration { time.withLock { $0 } }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

/// A directory for the files of a test, which is removed when nobody holds it.
final class TemporaryDirectory: Sendable {
  let path: String

  init(_ files: [String: String] = [:]) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "workbench-\(UUID().uuidString)")
    path = url.path
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = url.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path).appending(path: name)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
