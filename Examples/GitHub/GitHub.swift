import JSONValue
public import Requests

/// The example of *A Tiny Networking Library* (objc.io): GitHub's zen, and who is asking.
public struct User: Hashable, Sendable {
  public let id: Int
  public let login: String

  /// What a response lacked.
  public struct Incomplete: Error, Hashable {
    public let json: String
  }

  init(_ json: JSON) throws {
    guard let id = json["id"]?.int, let login = json["login"]?.string else { throw Incomplete(json: "\(json)") }
    self.id = id
    self.login = login
  }
}

extension Request where Output == String {
  public static var zen: Request { .text(.get, "/zen") }
}

extension Request where Output == User {
  public static var authenticatedUser: Request { .json(.get, "/user") { try User($0) } }
}
