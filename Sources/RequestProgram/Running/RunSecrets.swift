import HTTPTypes
import RequestSyntax
public import Requests

/// The secrets that a run knows by now, to be found again wherever they come from.
struct RunSecrets: Sendable {
  private var shared = SharedSecrets()
  /// The texts that this block and those before it made from secrets. Their names must not depend on what other blocks
  /// do in the meantime.
  private var made = RememberedSecrets(fewestMade: RememberedSecrets.fewestInRun)

  var all: Set<Secret> { shared.known.all }
  var search: SecretSearch { shared.known.search }

  mutating func learn(_ secret: Secret) {
    if secret.isMade { _ = made.learn(secret) }
    shared.learn(secret)
  }

  /// From now on it learns for itself.
  mutating func separate() { shared = SharedSecrets(shared.known) }

  /// It came with a credential: all blocks know it, at whatever step they are.
  func note(_ secret: Secret) { shared.learn(secret) }

  /// What the server thinks of the words that were given to this step: a wrong password is no secret.
  func judge(_ exchange: Exchange) {
    let isRefused = exchange.response.status == .unauthorized && exchange.redirects.isEmpty
    for word in exchange.description.head.secrets {
      if let refused = word.refused { shared.learn(word, as: refused, isRefused: isRefused) }
    }
  }

  /// Somebody has typed the word that a step was given in a request to another origin, too: there it need not come from
  /// that step.
  ///
  /// - Returns: whether it is such a word, and was not released before.
  func release(_ word: Secret) -> Bool {
    guard word.isShortWord, let hidden = word.refused else { return false }
    return shared.release(word, as: hidden)
  }

  /// Somebody has given it to a step of another origin himself.
  ///
  /// - Returns: whether it was known as that of another.
  func admit(_ secret: Secret, at origin: Origin) -> Bool { secret.isGivenToStep && shared.admit(secret, at: origin) }

  /// What it made, in this order, that the block around it does not know.
  func made(inside outer: RunSecrets) -> [Secret] {
    made.all == outer.made.all ? [] : made.inOrder.filter { !outer.made.all.contains($0) }
  }

  /// Another block of the same run has ended, which made these.
  mutating func join(_ other: [Secret]) {
    for secret in other { _ = made.learn(secret) }
  }

  /// The name by which this text has been known before.
  func known(_ secret: Secret) -> Secret? {
    made.all.first { other in
      other.name == secret.name && other.hasSameText(as: secret) && other.origins.allSatisfy(secret.origins.contains)
        && secret.origins.allSatisfy(other.origins.contains)
    }
  }
}

extension ProgramRequestSequence {
  /// Every secret that the run knows by now.
  public var secrets: Set<Secret> { runSecrets.all }

  /// These are secrets of the run from now on: they are hidden, and whatever is read from outside is searched for them.
  public mutating func learn(_ secrets: some Sequence<Secret>) {
    for secret in secrets { runSecrets.learn(secret) }
  }

  /// From now on no copy of the run learns what this one does: for a look at a request that is not sent.
  public mutating func learnApart() { runSecrets.separate() }

  /// The secret that refuses a request is only hidden from now on, if it is a short word that a step was given, and is in
  /// what somebody has typed for the request: `secret`, in `/basic-auth/ada/secret`.
  ///
  /// - Returns: whether that is so.
  package func release(_ secret: Secret, typedIn text: String) -> Bool {
    secret.isWritten(in: text) && runSecrets.release(secret)
  }

  /// The secret that refuses a request may go to that origin, too, from now on, if it is where the step in progress goes:
  /// where a redirect leads is another matter. For what an earlier step was given, and somebody has typed again as the
  /// credential of this one.
  ///
  /// - Returns: whether that is so.
  package func admit(_ secret: Secret, typedFor origin: Origin) -> Bool {
    guard let located = block.current, case .step(let step) = located.node,
      let target = try? evaluator(located.source, scope).target(step.target, profiles: sessionProfiles).target,
      sessionProfiles.origins(of: step, at: target, environment.origin).contains(where: { $0.matches(origin) })
    else { return false }
    return runSecrets.admit(secret, at: origin)
  }

  public func note(_ secrets: Set<Secret>) {
    for secret in secrets { runSecrets.note(secret) }
  }

  /// What the program's texts and the environment have under the name of a secret is hidden, declared or not.
  func noteUndeclared() {
    let variables = program.plainVariables.compactMap { name in environment.variables[name].map { (name, $0) } }
    for (name, text) in program.literalSecrets.map({ ($0, $1) }) + variables
    where text.utf8.count >= Secret.fewestBytes {
      runSecrets.note(Secret(hidden: text, name: name))
      // Of a form, a server may repeat what it read. Its name is its own: what is recorded has the name in its place.
      if let read = PercentEncoding.decodedInForm(text), read.utf8.count >= Secret.fewestBytes {
        runSecrets.note(Secret(hidden: read, name: Secret.name(ofDecoded: name)))
      }
    }
  }

  /// The same for texts that were made from secrets elsewhere.
  ///
  /// - Parameter place: where; with the same place they have the same names when the run is repeated.
  public mutating func learn(_ secrets: Set<Secret>, madeAt place: String) {
    learn(named(Array(secrets), after: place))
  }

  /// The texts that were made from secrets for this request become known to the run, under names that are the same when
  /// the run is repeated.
  mutating func makeKnown(_ head: inout RequestHead) {
    guard head.secrets.contains(where: { !$0.isKnown }) else { return }
    head.secrets = Set(named(Array(head.secrets), after: stepPlace))
    learn(head.secrets.filter(\.isMade))
  }

  /// The place of the step in progress, and of its round.
  var stepPlace: String {
    (path + [block.stepIndex, block.rounds.count]).map(String.init).joined(separator: ".")
  }

  /// - Parameter place: the place of the request or profile that they are in.
  func named(_ secrets: [Secret], after place: String) -> [Secret] {
    guard secrets.contains(where: { !$0.isKnown }) else { return secrets }
    let new = secrets.filter { !$0.isKnown }.sorted { one, other in
      one.withExposedText { one in other.withExposedText { one < $0 } }
    }
    return secrets.filter(\.isKnown)
      + new.enumerated().map { index, secret in
        runSecrets.known(secret) ?? secret.known(at: "\(place).\(index)")
      }
  }
}
