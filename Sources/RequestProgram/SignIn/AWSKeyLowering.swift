import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// Keys of `auth sigv4` that are not in the script: where it says they are, and nowhere else.
struct AWSKeyLowering {
  let evaluator: Evaluator
  let region: String
  /// Where STS is; nil: where AWS has it.
  let endpoint: String?
  let range: SourceRange

  /// Keys that are here, and where to ask for them if they are not.
  struct Keys {
    var key = ""
    var secret = ""
    var token: String?
    var source: AWSKeySource?
  }

  func keys(from place: String) throws(ProgramError) -> Keys {
    switch place {
    case "env":
      return Keys(
        key: try variable("AWS_ACCESS_KEY_ID"), secret: try variable("AWS_SECRET_ACCESS_KEY"),
        token: evaluator.environment.variables["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 })
    case "imds": return Keys(source: .machine)
    default: throw failure(.place(place))
    }
  }

  func keys(ofProfile name: String) throws(ProgramError) -> Keys {
    let open = evaluator.environment.openFile
    let files = AWSProfileFiles(evaluator.environment.variables) { path in try? open(path).bytes() }
    return try keys(ofProfile: name, in: files, seen: [])
  }

  private func keys(
    ofProfile name: String, in files: AWSProfileFiles, seen: Set<String>
  ) throws(ProgramError) -> Keys {
    guard let settings = files[name] else { throw failure(.noProfile(name, known: files.names)) }
    if let arn = settings["role_arn"] {
      guard !seen.contains(name) else { throw failure(.circle(name)) }
      let role = AWSRole(
        arn: arn, sessionName: settings["role_session_name"] ?? "workbench", externalID: settings["external_id"],
        region: settings["region"] ?? region, endpointURL: endpoint)
      return Keys(source: .role(role, by: try taker(name, settings, files, seen.union([name]))))
    }
    if let key = settings["aws_access_key_id"], let secret = settings["aws_secret_access_key"] {
      return Keys(key: key, secret: secret, token: settings["aws_session_token"])
    }
    guard settings["credential_process"] != nil || settings.keys.contains(where: { $0.hasPrefix("sso_") }) else {
      throw failure(.noKeys(profile: name))
    }
    // The aws command signs in, or runs the program, when a request is sent.
    guard evaluator.mayRunCommands else { throw failure(.program(profile: name)) }
    return Keys(source: .command(profile: name))
  }

  private func taker(
    _ name: String, _ settings: [String: String], _ files: AWSProfileFiles, _ seen: Set<String>
  ) throws(ProgramError) -> AWSRoleTaker {
    let keys: Keys
    if let source = settings["source_profile"] {
      // A role may be taken on with the static keys that stand beside it.
      if source == name, let key = settings["aws_access_key_id"], let secret = settings["aws_secret_access_key"] {
        keys = Keys(key: key, secret: secret, token: settings["aws_session_token"])
      } else {
        keys = try self.keys(ofProfile: source, in: files, seen: seen)
      }
    } else {
      switch settings["credential_source"]?.lowercased() {
      case "environment": keys = try self.keys(from: "env")
      case "ec2instancemetadata": keys = Keys(source: .machine)
      default: throw failure(.noKeys(profile: name))
      }
    }
    if let source = keys.source { return .source(source) }
    guard let signer = Signer(named: "sigv4") else { throw failure(.noKeys(profile: name)) }
    var secrets = ["secret": Secret(keys.secret, name: "the secret of \(name)", for: [])]
    secrets["token"] = keys.token.map { Secret($0, name: "the session token of \(name)", for: []) }
    return .keys(SigningIdentity(signer, texts: ["key": keys.key], secrets: secrets))
  }

  private func variable(_ name: String) throws(ProgramError) -> String {
    guard let text = evaluator.environment.variables[name], !text.isEmpty else { throw failure(.noVariable(name)) }
    return text
  }

  private func failure(_ error: AWSKeyError) -> ProgramError { evaluator.failure(.awsKeys(error), range) }
}
