import Diagnostics
import HTTPTypes
import RequestSyntax
public import Requests

extension ProgramRequestSequence {
  public var profiles: SessionProfiles? { sessionProfiles }

  /// The profile that bare paths use.
  public var currentProfile: String? {
    get { sessionProfiles.current }
    set { sessionProfiles.current = newValue }
  }

  /// From here on `$env` has these variables; profiles are made again with them.
  public mutating func see(variables: [String: String], at moment: StepSeed) throws(ProgramError) {
    var changed = self
    changed.environment.variables = variables
    changed.moment = moment
    try changed.declareProfiles()
    self = changed
  }

  /// From here on there is no profile of this name.
  public mutating func remove(profile name: String, at moment: StepSeed) throws(ProgramError) {
    var changed = self
    changed.removedProfiles += program.profiles.filter { $0.node.name.text == name }
    changed.program.profiles.removeAll { $0.node.name.text == name }
    changed.moment = moment
    if changed.currentProfile == name { changed.currentProfile = nil }
    try changed.declareProfiles()
    self = changed
  }

  /// From here on the profiles that cannot be used are what they were earlier, if they could be used then.
  ///
  /// - Returns: their names.
  public mutating func takeBackProfiles(
    of earlier: ProgramRequestSequence, at moment: StepSeed
  ) throws(ProgramError) -> [String] {
    var changed = self
    var names: [String] = []
    for (index, located) in program.profiles.enumerated() {
      let name = located.node.name.text
      guard unavailable[name] != nil, earlier.unavailable[name] == nil,
        let old = earlier.program.profiles.first(where: { $0.node.name.text == name })
      else { continue }
      changed.program.profiles[index] = old
      names.append(name)
    }
    if names.isEmpty { return [] }
    changed.moment = moment
    try changed.declareProfiles()
    self = changed
    return names
  }

  /// The same with the profiles that were removed, as long as none has taken their names: what was sent with one is
  /// saved with it.
  public func withRemovedProfiles(at moment: StepSeed) throws(ProgramError) -> ProgramRequestSequence {
    var names = Set(program.profiles.map(\.node.name.text))
    let gone = removedProfiles.reversed().filter { names.insert($0.node.name.text).inserted }
    if gone.isEmpty { return self }
    var changed = self
    changed.program.profiles += gone
    changed.moment = moment
    try changed.declareProfiles()
    return changed
  }

  /// Makes the profiles again from what is known now.
  mutating func declareProfiles() throws(ProgramError) {
    try bindNamesOfProfiles()
    environmentSecrets = [:]
    for located in program.profiles {
      for name in located.node.passphraseNames { environmentSecrets[name, default: []] += [] }
      for name in located.node.signInKeyVariables { environmentSecrets[name, default: []] += [] }
      if let value = located.node.signIn, !located.node.signInVariables.isEmpty {
        let origins = try signInOrigins(value, of: located)
        for name in located.node.signInVariables { environmentSecrets[name, default: []] += origins }
      }
      let names = located.node.environmentNames
      if names.isEmpty { continue }
      let lowering = lowering(of: located, globalScope)
      let (base, others) = try lowering.origins()
      let origins = (base.map { [OriginPattern($0.origin)] } ?? []) + others
      for name in names { environmentSecrets[name, default: []] += origins }
    }
    var all: [SessionProfile] = []
    unavailable = [:]
    lacksCredential = []
    for located in program.profiles {
      let lowering = lowering(of: located, globalScope)
      do throws(ProgramError) {
        all.append(try lowering.profile())
      } catch {
        guard mayWait(error, of: located) else { throw error }
        let (base, others) = try lowering.origins()
        let name = located.node.name.text
        unavailable[name] = error
        do throws(ProgramError) {
          all.append(try lowering.profile(withCredential: false))
          lacksCredential.insert(name)
        } catch {
          all.append(SessionProfile(name: name, base: base, otherOrigins: others))
        }
      }
    }
    all = all.map(named)
    sessionProfiles = SessionProfiles(all, current: sessionProfiles.current)
    sessionProfiles.prefersCurrent = program.isPrompt
    learn(all.flatMap(\.secrets))
  }

  /// Whether the profile can be declared although this is missing: it is said when the profile is used. Of the profiles
  /// in a file at the prompt, some are for another day.
  private func mayWait(_ error: ProgramError, of profile: Program.Located<ProfileSyntax>) -> Bool {
    if case .notRun = error.fact { return true }
    return program.isPrompt && error.isMissingVariable && !profile.source.text.name.hasPrefix("<")
  }

  /// Where what is secret in `auth oauth` may go; nowhere as long as it needs a response.
  private func signInOrigins(
    _ value: ExpressionSyntax, of profile: Program.Located<ProfileSyntax>
  ) throws(ProgramError) -> [OriginPattern] {
    do throws(ProgramError) {
      let evaluator = evaluator(profile.source, globalScope)
      return try SignInLowering(value, profile: profile.node.name.text, evaluator).endpointOrigins()
    } catch {
      guard case .notRun = error.fact else { throw error }
      return []
    }
  }

  func lowering(of profile: Program.Located<ProfileSyntax>, _ scope: Scope) -> ProfileLowering {
    let given = settings.values.compactMap { setting in
      switch setting {
      case .text(let text): text.trimmed
      case .read(let json): json.settingText.trimmed
      case .value: nil
      }
    }
    return ProfileLowering(
      syntax: profile.node, evaluator: evaluator(profile.source, scope), settings: Set(given))
  }

  /// The profile with names for its secrets that are the same when the run is made again.
  func named(_ profile: SessionProfile) -> SessionProfile {
    var profile = profile
    profile.otherSecrets = named(profile.otherSecrets, after: "profile \(profile.name)")
    profile.localSecrets = named(profile.localSecrets, after: "passphrase \(profile.name)")
    return profile
  }

  /// Top-level names that profiles read are evaluated before anything else; those that need a response have to wait.
  private mutating func bindNamesOfProfiles() throws(ProgramError) {
    let names = program.namesOfProfiles
    for statement in program.statements {
      guard case .binding(let node) = statement.node, globals[node.name.text] == nil else { continue }
      guard names.contains(node.name.text) || settings[node.name.text] != nil || node.value.isConstant else { continue }
      do throws(ProgramError) {
        globals[node.name.text] = try value(of: node, statement.source, globalScope)
      } catch {
        guard error.isMissing, case .notRun = error.fact else { throw error }
      }
    }
  }

  /// Keeps a step from being sent without the credential it should have.
  func checkAvailable(_ description: RequestDescription) throws(ProgramError) {
    guard !unavailable.isEmpty else { return }
    let name: String?
    switch description.head.target {
    case .path(_, let profile): name = profile ?? description.head.profile ?? sessionProfiles.current
    case .url(let url):
      let origin = environment.origin(url)
      name = description.head.profile ?? origin.flatMap { try? sessionProfiles.profile(for: $0).name }
    }
    guard let name, var error = unavailable[name] else { return }
    let isCredential = lacksCredential.contains(name)
    if isCredential, !description.head.takesCredential { return }
    if case .notRun(let cause, let isName, let last, _) = error.fact {
      error.fact = .notRun(cause, isName: isName, last: last, isCredential: isCredential)
    }
    if isCredential { error.fact.mentionsNone() }
    throw error
  }

  private var globalScope: Scope {
    var scope = known(to: Scope())
    // What a `let` reads from a step is there once the step has run.
    let coming = program.globalNames.union(program.statements.flatMap(\.node.declaredNames))
    for name in coming where globals[name] == nil {
      scope.steps[name] = program.globalNames.contains(name) ? .unset : .skipped
    }
    for (label, result) in block.scope.steps { scope.steps[label] = result }
    return scope
  }
}

extension RequestHead {
  /// Whether the credential of its profile is sent with it: it has none of its own.
  fileprivate var takesCredential: Bool {
    self.sendsCredential && self.signer == nil && self.digest == nil && !self.headers.contains(.authorization)
  }
}

extension ExpressionSyntax {
  /// Whether the value is the same whenever it is evaluated: nothing in it is read or called.
  var isConstant: Bool {
    var isConstant = true
    forEach { node in
      switch node {
      case .reference, .call, .pipe, .member: isConstant = false
      default: break
      }
    }
    return isConstant
  }
}
