import Diagnostics
import HTTPTypes
import JSONValue
import RequestProgram
import RequestSyntax
import Requests
import Testing
import UploaderCore

/// Runs a script against handmade responses, without any network.
struct ScriptHarness {
  var environment: ProgramEnvironment
  var settings: [String: String] = [:]
  var sequence: String?
  var fileName = "test.wb"
  var readFile: @Sendable (String) throws(FileError) -> [UInt8] = Program.readFile
  /// The response to the request with that number, from 0.
  var answer: (RequestDescription, Int) -> Response = { _, _ in .make(200) }

  struct Outcome {
    var requests: [RequestDescription] = []
    var skipped: [String] = []
    var diagnostics: [Diagnostic] = []
    var error: ProgramError?
    var unmet: [UnmetExpectation] = []
    var profiles = SessionProfiles()
    var history = RunHistory()

    var text: String {
      (diagnostics + (error.map { [$0.diagnostic] } ?? [])).map { DiagnosticRenderer().render($0) }.joined()
    }
  }

  init(variables: [String: String] = [:]) {
    environment = .make(variables: variables)
  }

  func run(_ script: String, directory: String = "", limit: Int = 2_000) -> Outcome {
    var outcome = Outcome()
    var program = Program(readFile: readFile)
    outcome.diagnostics = program.add(
      Parser.parse(SourceText(name: fileName, text: script)), directory: directory)
    if outcome.diagnostics.contains(where: { $0.severity == .error }) { return outcome }
    do throws(ProgramError) {
      let sequence = try ProgramRequestSequence(
        program, environment: environment, settings: settings.mapValues(Setting.text), running: sequence, at: .fixed)
      drive(SequenceRun(sequence), &outcome, limit: limit)
    } catch {
      outcome.error = error
    }
    return outcome
  }

  func run(_ sequence: ProgramRequestSequence) -> Outcome {
    var outcome = Outcome()
    drive(SequenceRun(sequence), &outcome, limit: 2_000)
    return outcome
  }

  /// One step after another, to the end whatever fails.
  private func drive(_ start: SequenceRun<ProgramRequestSequence>, _ outcome: inout Outcome, limit: Int) {
    var run = start
    while outcome.requests.count < limit {
      do {
        guard let step = try run.next(at: { _ in .fixed }) else { break }
        let sequence = run.innermostSequence
        outcome.profiles = sequence.profiles ?? outcome.profiles
        switch step {
        case .group: Issue.record("groups are entered")
        case .skipped(let label, let reason):
          outcome.skipped.append(label ?? "")
          run.record(.skipped(label: label, reason: reason))
        case .request(let description):
          let exchange = Exchange.make(
            description, answer(description, outcome.requests.count), profiles: outcome.profiles,
            number: outcome.requests.count)
          outcome.requests.append(description)
          let unmet = sequence.unmetExpectations(of: exchange)
          outcome.unmet += unmet
          if unmet.isEmpty {
            run.record(sequence.isRepeated(after: exchange) ? .round(exchange) : .exchange(exchange))
          } else {
            run.record(.failed(label: description.head.label, exchange))
          }
        }
      } catch {
        outcome.error = outcome.error ?? error as? ProgramError
      }
    }
    outcome.profiles = run.sequence.profiles ?? outcome.profiles
    outcome.history = run.history
  }
}

extension StepSeed {
  static let fixed = StepSeed(time: .seconds(1_767_322_800), seed: 7)
}

extension ProgramEnvironment {
  static func make(variables: [String: String] = [:]) -> ProgramEnvironment {
    ProgramEnvironment(variables: variables)
  }
}

extension Response {
  static func make(_ status: Int, json: String? = nil, headers: [(String, String)] = []) -> Response {
    var fields = HTTPFields()
    if json != nil { fields[.contentType] = "application/json" }
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return Response(
      status: .init(code: status), headers: fields, body: ResponseBody(Array((json ?? "").utf8)))
  }
}

extension Exchange {
  static func make(
    _ description: RequestDescription, _ response: Response, profiles: SessionProfiles = SessionProfiles(), number: Int
  ) -> Exchange {
    let head = description.head
    let url: String
    var profile = SessionProfile.anonymous.name
    switch head.target {
    case .url(let text): url = text
    case .path(let path, let name):
      profile = name ?? head.profile ?? profiles.current ?? profile
      url = profiles[profile]?.base?.url(appending: path) ?? "http://unknown.test\(path)"
    }
    let origin = Origin(scheme: .https, host: "unknown.test")
    return Exchange(
      description: description,
      request: SentRequest(method: head.method, url: url, origin: origin, headers: head.headers),
      response: response, timings: Timings(total: .milliseconds(10)), profile: profile, started: .seconds(number))
  }
}

extension RequestDescription {
  var url: String {
    switch head.target {
    case .url(let url): url
    case .path(let path, let profile): "\(profile ?? ""):\(path)"
    }
  }

  /// The body as text; a file is its path in angle brackets.
  var bodyText: String? {
    bodySegments(boundary: "B").map { segments in
      segments.map { segment in
        switch segment {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .file(let file): "<\(file.name) \(file.offset)+\(file.count)>"
        }
      }.joined()
    }
  }
}
