public import Diagnostics

/// One statement of a file or a block.
public indirect enum StatementSyntax: Sendable, Hashable {
  case step(StepSyntax)
  case run(RunSyntax)
  case binding(LetSyntax)
  case secret(SecretSyntax)
  case sequence(SequenceSyntax)
  case loop(LoopSyntax)
  case parallel(BlockSyntax)
  case finally(BlockSyntax)
  case use(UseSyntax)
  case tags(TagsSyntax)
  case profile(ProfileSyntax)

  public var range: SourceRange {
    switch self {
    case .step(let node): node.range
    case .run(let node): node.range
    case .binding(let node): node.range
    case .secret(let node): node.range
    case .sequence(let node): node.range
    case .loop(let node): node.range
    case .parallel(let node), .finally(let node): node.range
    case .use(let node): node.range
    case .tags(let node): node.range
    case .profile(let node): node.range
    }
  }
}

/// `{ … }` after `parallel`, `finally`, `sequence` and `for`.
public struct BlockSyntax: Sendable, Hashable {
  public var statements: [StatementSyntax]
  /// Includes the keyword, if the block is itself a statement.
  @Unequal public var range: SourceRange
}

/// `[label:] run name(arguments) clause*`
public struct RunSyntax: Sendable, Hashable {
  public var label: NameSyntax?
  public var name: NameSyntax
  public var arguments: [ArgumentSyntax]
  public var clauses: [ClauseSyntax]
  @Unequal public var range: SourceRange

  init(
    label: NameSyntax?, name: NameSyntax, arguments: [ArgumentSyntax], clauses: [ClauseSyntax], range: SourceRange
  ) {
    self.label = label
    self.name = name
    self.arguments = arguments
    self.clauses = clauses
    self.range = range
  }

  /// A run without arguments, located where the name is.
  public init(name: NameSyntax) {
    self.init(label: nil, name: name, arguments: [], clauses: [], range: name.range)
  }
}

/// `[name:] expr` in the parentheses of a `run` or a call.
public struct ArgumentSyntax: Sendable, Hashable {
  public var name: NameSyntax?
  public var value: ExpressionSyntax
}

/// `let name = expr`
public struct LetSyntax: Sendable, Hashable {
  public var name: NameSyntax
  public var value: ExpressionSyntax
  @Unequal public var range: SourceRange
}

/// `secret name = expr for profile[, profile]`
public struct SecretSyntax: Sendable, Hashable {
  public var name: NameSyntax
  public var value: ExpressionSyntax
  public var profiles: [NameSyntax]
  @Unequal public var range: SourceRange
}

/// `sequence name(parameters) { … }`
public struct SequenceSyntax: Sendable, Hashable {
  public var name: NameSyntax
  public var parameters: [ParameterSyntax]
  public var body: BlockSyntax
  @Unequal public var range: SourceRange
}

/// `name[: type][ = default]`
public struct ParameterSyntax: Sendable, Hashable {
  public var name: NameSyntax
  public var type: NameSyntax?
  public var defaultValue: ExpressionSyntax?
}

/// `for $name in expr [parallel N] { … }`
public struct LoopSyntax: Sendable, Hashable {
  public var name: NameSyntax
  public var items: ExpressionSyntax
  /// How many run at the same time; nil means one after another.
  public var limit: Int?
  public var body: BlockSyntax
  @Unequal public var range: SourceRange
}

/// `tags name { "," name }`
public struct TagsSyntax: Sendable, Hashable {
  public var names: [NameSyntax]
  @Unequal public var range: SourceRange
}

/// `use "file"`
public struct UseSyntax: Sendable, Hashable {
  public var path: StringSyntax
  @Unequal public var range: SourceRange
}

/// `profile name { setting* }`
public struct ProfileSyntax: Sendable, Hashable {
  public var name: NameSyntax
  public var settings: [SettingSyntax]
  @Unequal public var range: SourceRange
}

/// One line of a profile.
public struct SettingSyntax: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// `header`, `query`, `auth`, `timeout`, `retry`, `redirects`, as in a step.
    case clause(ClauseSyntax)
    case base(ExpressionSyntax)
    case origin(ExpressionSyntax)
    case proxy(ExpressionSyntax)
    case http(ExpressionSyntax)
    case unixSocket(ExpressionSyntax)
    case cookies(isOn: Bool)
    case tls(ObjectSyntax)
    case resolve(host: String, address: WordSyntax)
  }

  public var kind: Kind
  @Unequal public var range: SourceRange

  /// Whether it says what the profile serves.
  public var isAddress: Bool {
    switch kind {
    case .base, .origin: true
    case .clause, .proxy, .http, .unixSocket, .cookies, .tls, .resolve: false
    }
  }
}
