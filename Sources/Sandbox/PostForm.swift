import NIOHTTP1

/// The fields of a POST upload that came before its file, in order.
struct PostForm: Hashable, Sendable {
  struct Field: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// How long everything before the file's content may be, boundaries included, in bytes.
  static let limit = 20 * 1024

  private(set) var fields: [Field] = []
  /// The name the client gave its file.
  var filename: String?

  init(_ fields: [Field] = [], filename: String? = nil) {
    self.fields = fields
    self.filename = filename
  }

  /// The value of a field; names are case-insensitive.
  subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  mutating func append(_ field: Field) throws(S3Error) {
    guard self[field.name] == nil else { throw .fieldRepeated(field.name) }
    fields.append(field)
  }

  /// The object's key, with `${filename}` replaced by the file's name.
  func key() throws(S3Error) -> String {
    guard let key = self["key"] else { throw .fieldMissing("key") }
    return key.replacing("${filename}", with: filename ?? "")
  }

  func required(_ name: String) throws(S3Error) -> String {
    guard let value = self[name] else { throw .fieldMissing(name) }
    return value
  }
}

extension PostForm {
  /// What is said about an object that was stored, as `success_action_status` asks for it: 200, 201 with a document
  /// that names the object, or 204, which S3 also sends for every other value.
  func response(location: String, bucket: String, key: String, etag: String) -> Response {
    let headers = [("ETag", etag), ("Location", location)]
    switch self["success_action_status"] {
    case "200": return Response(status: .ok, headers: headers)
    case "201":
      let elements = [("Location", location), ("Bucket", bucket), ("Key", key), ("ETag", etag)]
      var response = Response.text(
        .created, type: "application/xml",
        #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<PostResponse>"
          + elements.map { "<\($0)>\(S3Error.escaped($1))</\($0)>" }.joined() + "</PostResponse>")
      response.headers += headers
      return response
    default: return Response(status: .noContent, headers: headers)
    }
  }
}
