internal import HTTPTypes
internal import JSONValue
internal import Requests
internal import UploaderCore

/// The keys of the role of the machine that this runs on, from its metadata service (IMDSv2). It is asked only because
/// a profile says so: `from: "imds"`.
struct MachineKeys {
  let requests: SideRequests

  private static let address = "http://169.254.169.254"
  private static let path = "/latest/meta-data/iam/security-credentials/"

  func keys() async throws(SignInError) -> AWSKeys.Temporary {
    let token = try await send(.put, "/latest/api/token", ["X-aws-ec2-metadata-token-ttl-seconds": "300"])
    guard let origin = requests.origin(of: Self.address), token.utf8.count >= Secret.fewestBytes else {
      throw .unusable("\(Self.address) gave out no token")
    }
    let secret = Secret(token, name: "the machine's metadata token", for: [OriginPattern(origin)])
    requests.learn([secret])
    let headers = ["X-aws-ec2-metadata-token": token]
    let roles = try await send(.get, Self.path, headers, secrets: [secret])
    guard let role = roles.split(whereSeparator: \.isNewline).first, role.allSatisfy(Self.isNameCharacter) else {
      throw .unusable("the machine has no role", advice: "give its instance profile one")
    }
    let text = try await send(.get, Self.path + role, headers, secrets: [secret])
    guard let json = try? JSON(parsing: Array(text.utf8)), let key = json["AccessKeyId"]?.string,
      let secretKey = json["SecretAccessKey"]?.string
    else { throw .unusable("\(Self.address)\(Self.path)\(role) has no keys") }
    return AWSKeys.Temporary(
      key: key, secret: secretKey, token: json["Token"]?.string,
      expires: json["Expiration"]?.string.flatMap(AWSTime.parse))
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "+=,.@-_".contains(character))
  }

  private func send(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String], secrets: Set<Secret> = []
  ) async throws(SignInError) -> String {
    let url = Self.address + path
    let head = RequestHead(method, .url(url)) { head in
      for (name, value) in headers { if let name = HTTPField.Name(name) { head.headers[name] = value } }
      head.secrets = secrets
    }
    let response: Response
    do {
      response = try await requests.send(
        .inMemory(InMemoryRequestDescription(head)), timeout: .seconds(2))
    } catch {
      throw .request(error, endpoint: url)
    }
    guard response.status.code == 200, let bytes = try? response.body.bytes() else {
      throw .unusable("\(url) responded \(response.status.code)", advice: "is this a machine of EC2 with IMDSv2?")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
