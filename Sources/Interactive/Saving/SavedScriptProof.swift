internal import Diagnostics
internal import HTTPTypes
internal import JSONValue
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import UploaderCore

/// Runs a saved script over the answers it was made from, without sending anything: each step must ask for what was
/// sent.
struct SavedScriptProof {
  private let script: ScriptSaver.Script
  private let environment: ProgramEnvironment
  private let originOf: (String) throws(TransportError) -> Origin

  init(
    _ script: ScriptSaver.Script, environment: ProgramEnvironment,
    originOf: @escaping (String) throws(TransportError) -> Origin
  ) {
    self.script = script
    self.environment = environment
    self.originOf = originOf
  }

  /// What is wrong with the script, or different from what was sent; none if it is as good as what was explored.
  ///
  /// - Parameter exchanges: all of the session, `$1` first.
  func differences(file: String, directory: String, from exchanges: [Exchange]) -> [String] {
    var environment = environment
    environment.variables.merge(script.variables) { $1 }
    var program = Program()
    let diagnostics = program.add(Parser.parse(SourceText(name: file, text: script.text)), directory: directory)
    let errors = diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else { return errors.map(\.message) }
    do {
      let moment = Moment(time: .zero, seed: 0)
      var run = SequenceRun(try ProgramRequestSequence(program, environment: environment, at: moment))
      var differences: [String] = []
      for step in script.steps {
        // Looks that became one step are answered as they were at last.
        let numbers = step.step.repetition != nil ? step.numbers : [step.numbers[step.numbers.count - 1]]
        for number in numbers {
          guard case .request(let description)? = try run.next(at: { _ in moment }) else {
            return differences + ["$\(number) would not be sent"]
          }
          let exchange = exchanges[number - 1]
          let sequence = run.innermostSequence
          differences += try self.differences(description, from: exchange, in: sequence).map { "$\(number): \($0)" }
          run.record(sequence.isRepeated(after: exchange) ? .round(exchange) : .exchange(exchange))
          if !sequence.unmetExpectations(of: exchange).isEmpty {
            differences.append("$\(number): its own answer is not what the file expects")
          }
        }
      }
      return differences
    } catch {
      return [(error as? ProgramError)?.diagnostic.message ?? "\(error)"]
    }
  }

  private func differences(
    _ description: RequestDescription, from exchange: Exchange, in sequence: ProgramRequestSequence
  ) throws -> [String] {
    let profiles = sequence.profiles ?? SessionProfiles()
    let sent = exchange.redirects.first?.request ?? exchange.request
    let prepared = try PreparedRequest(
      description, profiles: profiles, secrets: sequence.secrets, boundary: "-", now: .zero, origin: originOf)
    var differences: [String] = []
    if prepared.request.method != exchange.description.head.method { differences.append("another method") }
    if !Self.isSame(prepared.request.url, sent.url) {
      differences.append("\(prepared.request.url) instead of \(sent.url)")
    }
    if !Self.isSame(description, exchange.description) { differences.append("another body") }
    if Self.authorization(prepared.request.headers) != Self.authorization(sent.headers) {
      differences.append("another authorization")
    }
    return differences
  }

  /// What two requests at different times have in common: of a signature, whose it is.
  private static func authorization(_ headers: HTTPFields) -> Substring? {
    guard let value = headers[.authorization] else { return nil }
    return value.hasPrefix("AWS4-") ? value.prefix { $0 != "/" } : value[...]
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    // An empty path is a slash on the wire.
    one == other || one == other + "/" || one + "/" == other
  }

  private static func isSame(_ one: RequestDescription, _ other: RequestDescription) -> Bool {
    switch (one, other) {
    case (.inMemory(let one), .inMemory(let other)):
      guard let left = one.body?.bytes, let right = other.body?.bytes else {
        return one.body?.bytes == other.body?.bytes
      }
      if left == right { return true }
      guard let json = try? JSON(parsing: left), let sent = try? JSON(parsing: right) else { return false }
      return json == sent
    case (.multipart(let one), .multipart(let other)): return Self.isSame(one.parts, other.parts)
    case (.stream(let one), .stream(let other)):
      return one.file.identity == other.file.identity && one.file.offset == other.file.offset
        && one.file.count == other.file.count
    case (.inMemory, _), (.multipart, _), (.stream, _): return false
    }
  }

  /// Files are the same when their paths are; the working directory and the file's are often two.
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
