internal import HTTPTypes
internal import JSONValue
internal import Requests
internal import UploaderCore

/// What an endpoint responded, which may be anything.
struct EndpointResponse {
  private let response: Response
  private let url: String

  init(_ response: Response, _ url: String) {
    self.response = response
    self.url = url
  }

  /// The object of a response that went well.
  ///
  /// - Throws: `SignInError` with the server's own words if it refused.
  func json() throws(SignInError) -> JSON {
    let code = response.status.code
    if (300..<400).contains(code) {
      let location = response.headers[.location].map { " to \(CutText.cut($0, to: 120))" } ?? ""
      throw .unusable(
        "\(url) redirects\(location)",
        advice: "what is sent there is secret, so the redirect is not followed; write the address itself")
    }
    let type = response.contentType.map { MediaType.essence(of: $0) } ?? "no type"
    let bytes: [UInt8]
    do {
      bytes = try response.body.bytes()
    } catch {
      throw .file(error)
    }
    guard let json = try? JSON(parsing: bytes), json.object != nil else {
      throw .unusable("\(url) responded \(code) with \(type), not with JSON", advice: nil)
    }
    if let error = json["error"]?.string {
      throw .refused(
        SignInRefusal(error: error, description: json["error_description"]?.string, endpoint: url, status: code))
    }
    guard (200..<300).contains(code) else { throw .unusable("\(url) responded \(code) without saying why") }
    return json
  }
}
