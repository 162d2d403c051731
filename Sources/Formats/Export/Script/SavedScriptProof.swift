package import Diagnostics
internal import HTTPTypes
internal import JSONValue
internal import Presentation
package import RequestProgram
internal import RequestSyntax
package import Requests
package import UploaderCore

/// Runs a saved script over the responses it was made from, without sending anything: each step must ask for what was
/// sent.
package struct SavedScriptProof {
  private let script: ScriptSaver.Script
  private let environment: ProgramEnvironment
  private let transport: any Transport

  /// - Parameter transport: determines the origin of a URL; nothing is sent.
  package init(_ script: ScriptSaver.Script, environment: ProgramEnvironment, transport: any Transport) {
    self.script = script
    self.environment = environment
    self.transport = transport
  }

  /// The first error that the check finds in the script; nil: it can be run.
  package func fault(file: String, directory: String) -> Diagnostic? {
    checked(file: file, directory: directory).errors.first
  }

  private func checked(file: String, directory: String) -> (program: Program, errors: [Diagnostic]) {
    var program = Program()
    let diagnostics = program.add(Parser.parse(SourceText(name: file, text: script.text)), directory: directory)
    return (program, diagnostics.filter { $0.severity == .error })
  }

  /// Something that is wrong with the script, or differs from what was sent.
  package struct Difference: Hashable {
    /// The response whose request is another; nil: it is about the script.
    package var number: Int?
    package var sentence: String
  }

  /// What is wrong with the script, or differs from what was sent; empty if it is as good as what was explored.
  ///
  /// - Parameter exchanges: all exchanges of the session, `$1` first.
  package func differences(file: String, directory: String, from exchanges: [Exchange]) -> [Difference] {
    var environment = environment
    environment.variables.merge(script.variables) { $1 }
    environment.ask = { [replies = script.replies] in replies[$0] }
    let (program, errors) = checked(file: file, directory: directory)
    guard errors.isEmpty else {
      return errors.map { Difference(sentence: "the script is not valid: \($0.message)") }
    }
    do {
      let moment = StepSeed(time: .zero, seed: 0)
      var run = SequenceRun(try ProgramRequestSequence(program, environment: environment, at: moment))
      var differences: [Difference] = []
      /// The names of the cookies that the responses have set.
      var cookies: Set<String> = []
      let forecast = CookieForecast()
      for step in script.steps {
        // Requests that became one step are one request, which is compared with each, and gets their last response.
        let rounds = step.step.repetition != nil ? step.numbers.map { [$0] } : [step.numbers]
        for numbers in rounds {
          guard let number = numbers.last, case .request(let description)? = try run.next(at: { _ in moment }) else {
            return differences + numbers.map { Difference(sentence: "$\($0) is not sent") }
          }
          let sequence = run.innermostSequence
          for number in numbers {
            differences += try self.differences(
              description, from: exchanges[number - 1], in: sequence, keeping: forecast
            ).map {
              Difference(number: number, sentence: "$\(number) is not what was sent: \($0)")
            }
          }
          let exchange = exchanges[number - 1]
          // Of requests that became one step, the later ones may have had cookies of the first.
          let first = exchanges[(numbers.first ?? number) - 1]
          let missing = Set(first.keptCookies(in: sequence.profiles).map(\.name)).subtracting(cookies).sorted()
          if !missing.isEmpty {
            let what = "no response here sets the cookie \(missing.joined(separator: ", "))"
            differences.append(Difference(sentence: "$\(number) is not what was sent: \(what)"))
          }
          for number in numbers { cookies.formUnion(exchanges[number - 1].setCookies.map(\.name)) }
          run.record(sequence.isRepeated(after: exchange) ? .round(exchange) : .exchange(exchange))
          if !sequence.unmetExpectations(of: exchange).isEmpty {
            differences.append(
              Difference(sentence: "$\(number): the script expects what its response is not, and stops there"))
          }
        }
      }
      return differences
    } catch {
      let report = (error as? UploadError).flatMap { ErrorReport.reports(of: $0)?.first }
      // Here nothing is sent in any case.
      let known = report.map { [$0.message] + $0.notes.filter { $0 != ErrorReport.unsent } }
      let reason = (error as? ProgramError)?.diagnostic.message ?? known?.joined(separator: "; ") ?? "\(error)"
      return [Difference(sentence: "the script stops: \(reason)")]
    }
  }

  private func differences(
    _ description: RequestDescription, from exchange: Exchange, in sequence: ProgramRequestSequence,
    keeping cookies: CookieForecast
  ) throws -> [String] {
    let profiles = sequence.profiles ?? SessionProfiles()
    let prepared = try PreparedRequest(
      description, profiles: profiles, secrets: sequence.secrets, boundary: "-", now: .zero, origin: transport.origin)
    let isKept = profiles[prepared.profile]?.network.keepsCookies ?? false
    let likeness = RequestLikeness(
      method: prepared.request.method, url: prepared.request.url, headers: prepared.request.headers,
      asked: description.head.headers, omitting: description.head.omittedHeaders, credential: prepared.credential)
    let differences =
      likeness.differences(from: RequestLikeness(exchange))
      + (isKept || exchange.keptCookies(in: profiles).isEmpty ? [] : ["its profile keeps no cookies"])
      + Self.addedCookies(to: prepared, from: exchange, cookies)
    if Self.isSame(description, exchange.description) { return differences }
    // A different body may have a different type.
    return differences.filter { $0 != "another content-type" } + ["another body"]
  }

  /// A profile that came later keeps cookies for the requests before it, too.
  private static func addedCookies(
    to prepared: PreparedRequest, from exchange: Exchange, _ cookies: CookieForecast
  ) -> [String] {
    let sent = CookiePair.sent(in: exchange.firstRequest.headers).map(\.name)
    let added = CookiePair.sent(in: cookies.attached(to: prepared, now: exchange.started).request.headers).map(\.name)
      .filter { !sent.contains($0) }
    cookies.receive(exchange, to: prepared)
    let profile = "profile \(prepared.profile) keeps cookies"
    if !added.isEmpty { return ["\(profile), and sends \(added.joined(separator: ", ")) along"] }
    return prepared.request.network.keepsCookies && exchange.dropsCookies
      ? ["\(profile), and sends those of the redirect along"] : []
  }

  private static func isSame(_ one: RequestDescription, _ other: RequestDescription) -> Bool {
    switch (one, other) {
    case (.inMemory(let one), .inMemory(let other)):
      guard let left = one.body?.bytes, let right = other.body?.bytes else {
        return one.body?.bytes == other.body?.bytes
      }
      if left == right { return true }
      guard let json = try? JSONPrinter.compact.reprint(left) else { return false }
      return (try? JSONPrinter.compact.reprint(right)) == json
    case (.multipart(let one), .multipart(let other)): return Self.isSame(one.parts, other.parts)
    case (.stream(let one), .stream(let other)):
      return one.file.identity == other.file.identity && one.file.offset == other.file.offset
        && one.file.count == other.file.count
    case (.inMemory, _), (.multipart, _), (.stream, _): return false
    }
  }

  /// Files are the same when their paths are; the working directory and the file's directory often differ.
  private static func isSame(_ one: [MultipartPart], _ other: [MultipartPart]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { left, right in
        guard left.name == right.name, left.contentType == right.contentType, left.fileName == right.fileName else {
          return false
        }
        switch (left.content, right.content) {
        case (.bytes(let left), .bytes(let right)): return left == right
        case (.file(let left), .file(let right)): return left.identity == right.identity && left.offset == right.offset
        case (.bytes, .file), (.file, .bytes): return false
        }
      }
  }
}
