internal import HTTPTypes
internal import Requests
internal import Synchronization

/// What was made for earlier requests and serves later ones, too.
final class PreparationCache: Sendable {
  let searches = GuardSearches()
  private let latest = Mutex<(credential: Credential, fields: HTTPFields)?>(nil)

  /// Adds the header field that the credential is sent in, if it is sent in one, whatever the request.
  ///
  /// To make it, each of its bytes is looked at, and a token may be long.
  func attach(_ credential: Credential, to headers: inout HTTPFields) {
    let fields = latest.withLock { latest in
      if let latest, latest.credential == credential { return latest.fields }
      guard let field = credential.field else { return [:] }
      var fields = HTTPFields()
      fields.append(field)
      latest = (credential, fields)
      return fields
    }
    if headers.isEmpty {
      headers = fields
    } else {
      for field in fields { headers[fields: field.name] = [field] }
    }
  }
}
