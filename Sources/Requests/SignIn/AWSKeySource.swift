/// Where keys of AWS are that a script does not have itself.
public enum AWSKeySource: Hashable, Sendable {
  /// The machine that this runs on, asked at 169.254.169.254.
  case machine
  /// What `aws configure export-credentials` prints for this profile: it may sign in, or run another program.
  case command(profile: String)
  /// A role that somebody with these keys takes on.
  case role(AWSRole, by: AWSRoleTaker)
}

/// Whose keys take on a role.
public indirect enum AWSRoleTaker: Hashable, Sendable {
  /// Those of this identity.
  case keys(SigningIdentity)
  /// Those that are found there when they are needed, perhaps of another role.
  case source(AWSKeySource)
}

/// A role (`AssumeRole` of STS).
public struct AWSRole: Hashable, Sendable {
  /// `arn:aws:iam::123456789012:role/uploader`
  public var arn: String
  /// What AWS calls the session in its logs (`RoleSessionName`).
  public var sessionName: String
  /// What the owner of the role wants to be told (`ExternalId`); nil: nothing.
  public var externalID: String?
  /// Of STS.
  public var region: String
  /// Where STS is; nil: where AWS has it.
  public var endpointURL: String?

  public init(
    arn: String, sessionName: String, externalID: String? = nil, region: String, endpointURL: String? = nil
  ) {
    self.arn = arn
    self.sessionName = sessionName
    self.externalID = externalID
    self.region = region
    self.endpointURL = endpointURL
  }
}
