public import Diagnostics

/// One property of a step, after its target.
public struct ClauseSyntax: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case json(ExpressionSyntax)
    case form(ExpressionSyntax)
    case multipart(ExpressionSyntax)
    case text(ExpressionSyntax)
    case body(ExpressionSyntax, TypedSyntax)
    case graphql(StringSyntax, variables: ExpressionSyntax?)
    case header(FieldsSyntax)
    case query(FieldsSyntax)
    case auth(AuthSyntax)
    case expectStatus([StatusSyntax])
    case expect(ExpressionSyntax)
    case when(ExpressionSyntax)
    case repetition(RepeatSyntax)
    /// The response is looked at while it comes.
    case stream(StreamSyntax)
    case retry(RetrySyntax)
    case timeout(ExpressionSyntax)
    /// How much of a response is kept.
    case limit(ExpressionSyntax)
    /// `redirects N`; nil is `redirects none`.
    case redirects(Int?)
    case save(ExpressionSyntax)
    case effect(EffectSyntax)
    case profile(NameSyntax)
    /// How long to wait before the step is sent.
    case wait(ExpressionSyntax)
  }

  public var kind: Kind
  /// The clause's first word.
  @Unequal public var keyword: NameSyntax
  @Unequal public var range: SourceRange

  /// Whether it says what the response has to be.
  public var isExpectation: Bool {
    switch kind {
    case .expectStatus, .expect: true
    default: false
    }
  }
}

/// `as "type"` and `named "file name"` after a value.
public struct TypedSyntax: Sendable, Hashable {
  /// Nearly every value has neither, and then it takes one machine word.
  private indirect enum Storage: Sendable, Hashable {
    case nothing
    case strings(type: StringSyntax?, fileName: StringSyntax?)
  }

  private let storage: Storage

  public init(type: StringSyntax? = nil, fileName: StringSyntax? = nil) {
    storage = type == nil && fileName == nil ? .nothing : .strings(type: type, fileName: fileName)
  }

  /// Whether it has neither.
  var isEmpty: Bool { if case .nothing = storage { true } else { false } }

  public var type: StringSyntax? {
    if case .strings(let type, _) = storage { type } else { nil }
  }

  public var fileName: StringSyntax? {
    if case .strings(_, let fileName) = storage { fileName } else { nil }
  }
}

/// `Name: value` or an object, in `header` and `query`.
public enum FieldsSyntax: Sendable, Hashable {
  case field(NameSyntax, ExpressionSyntax)
  /// `Name:`, with nothing after the colon: a header that the program or the profile adds is left out.
  case omitted(NameSyntax)
  case object(ObjectSyntax)
}

/// `auth none`, or a scheme with its values.
public enum AuthSyntax: Sendable, Hashable {
  case none
  case scheme(Scheme, [ExpressionSyntax])

  /// Those that have a syntax of their own.
  public static let names = ["none", "bearer", "basic", "digest"]

  public enum Scheme: Sendable, Hashable {
    case bearer, basic
    /// By its name, which the checker knows.
    case signer(String)
    case digest

    /// Its spelling in a script.
    public var name: String {
      switch self {
      case .bearer: "bearer"
      case .basic: "basic"
      case .signer(let name): name
      case .digest: "digest"
      }
    }
  }
}

/// A status code or a class of them.
public enum StatusSyntax: Sendable, Hashable, CustomStringConvertible {
  case code(Int)
  /// 1 to 5, written `1xx` to `5xx`.
  case statusClass(Int)
  /// Every one there is: 100 to 599.
  case any

  public func contains(_ status: Int) -> Bool {
    switch self {
    case .code(let code): code == status
    case .statusClass(let digit): status / 100 == digit
    case .any: (100...599).contains(status)
    }
  }

  public var description: String {
    switch self {
    case .code(let code): "\(code)"
    case .statusClass(let digit): "\(digit)xx"
    case .any: "any status"
    }
  }
}

/// `repeat [N times] [every D] [for D] until condition`
public struct RepeatSyntax: Sendable, Hashable {
  /// How often it is sent in all.
  public var rounds: ExpressionSyntax?
  public var interval: ExpressionSyntax?
  public var limit: ExpressionSyntax?
  public var condition: ExpressionSyntax

  public init(
    rounds: ExpressionSyntax? = nil, interval: ExpressionSyntax? = nil, limit: ExpressionSyntax? = nil,
    condition: ExpressionSyntax
  ) {
    self.rounds = rounds
    self.interval = interval
    self.limit = limit
    self.condition = condition
  }
}

/// `stream [for D] [until condition]`
public struct StreamSyntax: Sendable, Hashable {
  public var limit: ExpressionSyntax?
  public var condition: ExpressionSyntax?

  public init(limit: ExpressionSyntax? = nil, condition: ExpressionSyntax? = nil) {
    self.limit = limit
    self.condition = condition
  }
}

/// `retry N [on statuses]`, or `retry none`.
public enum RetrySyntax: Sendable, Hashable {
  case none
  case attempts(Int, on: [StatusSyntax])
}

/// `effect once` or `effect idempotent`.
public enum EffectSyntax: String, Sendable, Hashable, CaseIterable {
  case once, idempotent
}
