import JSONValue
import RequestSyntax
internal import Requests

/// Whatever a step's own `auth` is given is a secret, wherever it comes from, and belongs to the step's origin. What is
/// declared for other origins, or was made from such, keeps those. An `Authorization` header that is made from something
/// that was read is such an `auth`, written out.
enum OwnCredential {
  /// What the check calls it.
  static let name = "a step's own auth"

  /// The step that is given it.
  struct Owner {
    /// What sentences call it; nil: it has no name yet.
    var name: String?
    var origins: [OriginPattern]
    /// Whether a name has a value where the step is.
    var knows: (String) -> Bool
  }

  /// nil if the origin is not known, the text is so short that it would be found in everything, or it was meant as a
  /// reference.
  static func secret(_ text: String, of owner: Owner) -> Secret? {
    guard !owner.origins.isEmpty, text.utf8.count >= Secret.fewestBytes, !ReferenceText.isNoSecret(text),
      !(ReferenceText.name(text).map(owner.knows) ?? false)
    else { return nil }
    return Secret(givenToStep: text, named: owner.name, for: owner.origins)
  }

  static func value(_ value: Value, _ text: String, of owner: Owner) -> Value {
    guard value.taint.secrets.allSatisfy(\.isGivenToStep), let secret = secret(text, of: owner) else { return value }
    // One with all of it inside, `Bearer …`, is found by it, and in the `auth` of another step is none of this one's.
    let parts = value.parts(of: "", whole: text, for: owner.origins).compactMap { part in
      part.withExposedText { $0.contains(text) ? nil : self.secret($0, of: owner) }
    }
    return value.with(secrets: Set(parts + [secret]))
  }

  /// The value of such a header. What the script itself has as a text is not a secret in it.
  static func header(_ value: Value, _ text: String, of owner: Owner) -> Value {
    guard !value.outsideTexts.isEmpty else { return value }
    let credential = String(AuthenticationScheme.credential(in: text))
    // In `Credential="…", Signature="…"`, what the fields are made from may be well known: who it is, a date.
    guard !credential.contains(where: { $0 == "," || $0 == "\"" || $0 == " " }) else {
      return value.holding(self.value(Value(.string(credential)), credential, of: owner))
    }
    return value.holding(self.value(value, credential, of: owner))
  }

  /// The value of the header. What both are encoded as is a secret, too: its ends have bits of the password in them, or
  /// of a user that is the secret, which no search for either finds.
  static func basic(
    _ user: (text: String, value: Value), _ password: (text: String, value: Value), of owner: Owner
  ) -> Value {
    let credential = BasicCredential(user: user.text, password: password.text)
    let pair = credential.pair
    let header = Value(.string(credential.field))
      .holding(credential.isKey ? value(user.value, user.text, of: owner) : user.value)
      .holding(credential.isKey ? password.value : value(password.value, password.text, of: owner))
    guard pair.utf8.count >= Secret.fewestBytesOfPart else { return header }
    return header.holding(value(Value(.string(pair)), pair, of: owner))
  }
}

extension SessionProfiles {
  /// The origin that a step goes to, as far as its target gives it.
  ///
  /// - Parameter originOf: the origin of a URL, by the parser of whatever will connect.
  func origins(
    of step: StepSyntax, at target: RequestTarget, _ originOf: (String) -> Origin?
  ) -> [OriginPattern] {
    switch target {
    case .url(let url):
      return originOf(url).map { [OriginPattern($0)] } ?? []
    case .path(_, let profile):
      var named = profile
      for case .profile(let name) in step.clauses.map(\.kind) where named == nil { named = name.text }
      guard let name = named ?? current, let base = self[name]?.base else { return [] }
      return [OriginPattern(base.origin)]
    }
  }
}

extension StepSyntax {
  /// Whether it has an `auth` of its own, or a header in place of one.
  var hasOwnCredential: Bool {
    let isInClause = clauses.contains { clause in
      switch clause.kind {
      case .auth(.scheme(_, let values)): !values.isEmpty
      case .header(let fields): !fields.credentials.isEmpty
      default: false
      }
    }
    return isInClause || !credentialItems.isEmpty
  }

  /// What its own `auth` is given.
  var ownCredential: [ExpressionSyntax] {
    credentialItems
      + clauses.flatMap { clause -> [ExpressionSyntax] in
        switch clause.kind {
        case .auth(.scheme(_, let values)): values
        case .header(let fields): fields.credentials
        default: []
        }
      }
  }

  /// What of that is secret. Of `basic` that is the password; without one it is the user.
  var secretCredential: [ExpressionSyntax] {
    credentialItems + clauses.flatMap(\.secretCredential)
  }

  /// The values of its items that are such headers: `Authorization:"Bearer {$1.body.token}"`.
  private var credentialItems: [ExpressionSyntax] {
    items.compactMap { item in
      guard item.kind == .header, AuthenticationScheme.isInHeader(named: item.key.text), item.value.readsSomething
      else { return nil }
      return item.value
    }
  }

  /// What its target is made from.
  var targetExpressions: [ExpressionSyntax] {
    switch target {
    case .word(let word): [.word(word)]
    case .reference(let reference, let tail): [.reference(reference)] + (tail.map { [.word($0)] } ?? [])
    case .expression(let expression): [expression]
    case .string(let string): [.string(string)]
    }
  }
}

extension ClauseSyntax {
  /// What is secret of its values, if it is the `auth` of a step, or a header in place of one.
  fileprivate var secretCredential: [ExpressionSyntax] {
    switch kind {
    case .auth(.scheme(.bearer, let values)): return values
    case .auth(.scheme(.digest, let values)): return values.suffix(1)
    case .auth(.scheme(.basic, let values)):
      guard case .string(let password)? = values.last else { return values.suffix(1) }
      let isShort = password.plainText.map { $0.utf8.count < Secret.fewestBytes } ?? false
      return isShort ? values : values.suffix(1)
    case .auth(.scheme(.signer(let name), let values)):
      let shown = Signer(named: name)?.members.filter { $0.kind == .text }.map(\.name) ?? []
      guard case .object(let object)? = values.first else { return values }
      return object.members.compactMap { member -> ExpressionSyntax? in
        switch member {
        case .field(let key, let value, _): shown.contains(key.plainText ?? "") ? nil : value
        case .spread(let value): value
        }
      }
    case .header(let fields): return fields.credentials.filter { !$0.hasFields }
    default: return []
    }
  }
}

extension FieldsSyntax {
  /// The values in it that are headers in place of an `auth` and are made from something that is read.
  fileprivate var credentials: [ExpressionSyntax] {
    switch self {
    case .field(let name, let value):
      return AuthenticationScheme.isInHeader(named: name.text) && value.readsSomething ? [value] : []
    case .omitted: return []
    case .object(let object):
      return object.members.compactMap { member in
        guard case .field(let key, let value, _) = member, AuthenticationScheme.isInHeader(named: key.plainText ?? ""),
          value.readsSomething
        else { return nil }
        return value
      }
    }
  }
}

extension ExpressionSyntax {
  fileprivate var readsSomething: Bool {
    if plainText != nil { return false }
    var reads = false
    forEach { node in
      switch node {
      case .reference, .call, .pipe: reads = true
      default: break
      }
    }
    return reads
  }

  /// Whether it is a text with fields in it, `"Sig id={$id},sig={$sig}"`, which are not secret one by one.
  fileprivate var hasFields: Bool {
    guard case .string(let string) = self else { return false }
    return string.pieces.contains {
      if case .text(let text) = $0 { text.contains { ",\"".contains($0) } } else { false }
    }
  }
}
