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
  /// What only the profile of its URL says: `-k`, `-c jar`.
  private var demands: [ProfileDemand] = []
  /// The file of `curl -b FILE`, and the URL or path of its request; nil: none, or `-c` names one, too.
  private(set) var cookieFile: (path: String, target: String)?
  /// That of `curl -c FILE`: its cookies are those that the profile keeps.
  package private(set) var writtenCookieFile: String?
  /// What was done about the file.
  private var cookieRemark: String?
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
    demand(command, of: command.url)
    acceptsAnyStatus = !command.fails
    writeOut = command.writeOut
    credentials = command.credentials.filter { !ShellVariable.isIn($0.text) }
  }

  /// Notes what the options of a line for curl demand of the profile.
  mutating func demand(_ command: CurlCommand, of target: String) {
    demands = []
    demand(command.connecting, of: target)
    if command.acceptsAnyCertificate { demand(.anyCertificate, "-k", of: target) }
    if let option = command.cookieOption { demand(.cookies, option, of: target) }
    cookieFile = command.cookieFiles.written == nil ? command.cookieFiles.read.map { ($0, target) } : nil
    writtenCookieFile = command.cookieFiles.written
  }

  /// Notes what a line says of connections.
  mutating func demand(_ connecting: ConnectionDemand, of target: String) {
    guard let demand = connecting.demanded(of: target) else { return }
    self.demand(.connection(demand), demand.options.joined(separator: " and "), of: target)
  }

  /// - Parameters:
  ///   - option: what says so in the line.
  ///   - target: the URL or path of the request.
  mutating func demand(_ setting: ProfileDemand.Setting, _ option: String, of target: String) {
    // There are no certificates without TLS.
    if setting == .anyCertificate, target.lowercased().hasPrefix("http://") { return }
    demands.append(ProfileDemand(setting: setting, option: option, target: target))
  }

  /// Why it is not performed: the profile does not say what the line demands of it.
  ///
  /// - Parameters:
  ///   - isAlone: whether nothing is sent after it that could have its cookies.
  ///   - isProfileInUse: whether paths go to a profile.
  ///   - profile: that of a URL or path.
  package func refusal(
    isAlone: Bool = false, isProfileInUse: Bool = true, _ profile: (String) -> SessionProfile?
  ) -> ErrorReport? {
    for demand in demands {
      if isAlone, let refusal = demand.refusalAlone { return refusal }
      let profile = profile(demand.target)
      if !demand.isMet(by: profile?.network ?? NetworkSettings()) {
        return demand.refusal(profile: profile?.name, isProfileInUse: isProfileInUse, isAlone: isAlone)
      }
    }
    return nil
  }

  /// A URL whose cookies the line asks to keep, and that no profile claims, with the name that the line has for the
  /// profile, `--session=ann`.
  package func unclaimedJar(_ profile: (String) -> SessionProfile?) -> (url: String, name: String?)? {
    for demand in demands where demand.setting == .cookies && demand.target.contains("://") {
      guard profile(demand.target) == nil else { continue }
      let name = demand.option.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
      return (demand.target, name.flatMap { NameSyntax.isName($0) ? $0 : nil })
    }
    return nil
  }

  /// What is different from the other tool where nothing is refused.
  package var remarks: [String] { demands.compactMap(\.remark) + [cookieRemark].compactMap(\.self) }

  /// Has these cookies sent, and none asked for that are kept.
  ///
  /// - Parameters:
  ///   - cookies: `a=1; b=2`; nil: there are none for its URL.
  ///   - remark: what is said about it.
  mutating func send(cookies: String?, remark: String) {
    demands.removeAll { $0.setting == .cookies }
    (cookieFile, cookieRemark) = (nil, remark)
    guard let cookies, case .step(var step)? = script.statements.first else { return }
    step.send(cookies: cookies)
    script.statements[0] = .step(step)
    credentials.append((cookies, "cookie"))
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
