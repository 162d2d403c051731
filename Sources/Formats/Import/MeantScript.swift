package import Presentation
package import RequestSyntax
package import Requests

/// What a line for another tool, or a request with options of one, means here: the statements, and what else it says.
package struct MeantScript: Hashable {
  package var script: ScriptSyntax
  /// What it asks to be shown; nil: what is shown anyway.
  package var parts: ShownParts?
  /// Nothing is sent, and what would be sent is wanted: `http --offline`.
  package var isOffline = false
  /// Whether the body is a form that the line does not have: `http --form`, and no fields.
  package var isForm = false
  /// Whether it says that standard input is not the body: `--ignore-stdin`.
  package var ignoresInput = false
  /// What is written after the response: `curl -w`.
  package private(set) var writeOut: String?
  /// Whether a 404 is a response like any other, as it is for curl without `-f`.
  var acceptsAnyStatus = false
  /// Whether it saves the response under a name that nobody chose: `http --download` without `-o`.
  var choosesFile = false
  /// What must not be written down: passwords and tokens of the line, each with a name for it.
  var credentials: [(text: String, name: String)] = []
  /// The URL or path of which it says that any certificate will do, and why that is refused unless a profile says so:
  /// `-k`.
  var unverified: (target: String, refusal: ErrorReport)?
  /// Whether the line was for another tool, and not only a habit.
  private let isForAnotherTool: Bool

  /// - Parameter isForAnotherTool: whether the line was for another tool, or has its options.
  init(_ script: ScriptSyntax, isForAnotherTool: Bool = false) {
    self.script = script
    self.isForAnotherTool = isForAnotherTool
  }

  /// A line for curl.
  init(_ command: CurlCommand, as script: ScriptSyntax) {
    self.init(script, isForAnotherTool: true)
    parts = command.shownParts
    if command.acceptsAnyCertificate { accept(anyCertificateOf: command.url, "-k is refused") }
    acceptsAnyStatus = !command.fails
    writeOut = command.writeOut
    credentials = command.credentials.filter { !ShellVariable.isIn($0.text) }
  }

  /// Notes that any certificate will do.
  mutating func accept(anyCertificateOf target: String, _ refusal: String) {
    // There are no certificates without TLS.
    guard !target.lowercased().hasPrefix("http://") else { return }
    let url = target.contains("://") ? target : "https://…"
    unverified = (target, CurlCommand.ParseError.insecure(refusal, url: url))
  }

  /// Why it is not sent: only a profile says which certificates are accepted.
  ///
  /// - Parameter isAccepted: whether the profile of that URL or path says that any is.
  package func refusal(_ isAccepted: (String) -> Bool) -> ErrorReport? {
    unverified.flatMap { isAccepted($0.target) ? nil : $0.refusal }
  }

  /// What is hidden from now on: what the line calls a credential, and what the history would hide of the request. Hiding
  /// very short texts would hide too much.
  ///
  /// - Parameter names: those of the session: one that was typed as a text was meant as a reference.
  package func secrets(knowing names: [String] = []) -> [Secret] {
    isForAnotherTool ? TypedSecrets.secrets(in: script, and: credentials, knowing: names) : []
  }

  /// The statements, as they are performed.
  ///
  /// They replace no file: where nobody chose the name, a number is added until it is free, as HTTPie does. What the tool
  /// would save, or end well with, whatever the status, is content with any.
  ///
  /// - Parameters:
  ///   - names: what is in the directory, directories with a trailing `/`.
  ///   - isCommand: whether the line is a command of its own, with an exit code.
  package func script(besideFiles names: @autoclosure () -> [String], isCommand: Bool = false) -> ScriptSyntax {
    guard case .step(var step)? = script.statements.first else { return script }
    guard choosesFile || acceptsAnyStatus && (isCommand || step.savesBody) else { return script }
    if acceptsAnyStatus { step.clauses.append(ClauseSyntax(.expectStatus([.any]))) }
    let names = choosesFile ? Set(names()) : []
    func isTaken(_ name: String) -> Bool { names.contains(name) || names.contains(name + "/") }
    var script = script
    for index in step.clauses.indices {
      guard case .save(let value) = step.clauses[index].kind, let name = value.plainText, isTaken(name) else {
        continue
      }
      var count = 1
      while isTaken("\(name)-\(count)") { count += 1 }
      step.clauses[index].kind = .save(.text("\(name)-\(count)"))
    }
    script.statements[0] = .step(step)
    return script
  }

  package static func == (left: MeantScript, right: MeantScript) -> Bool {
    left.script == right.script && left.parts == right.parts && left.isOffline == right.isOffline
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(script) }
}
