internal import JSONValue
internal import RunStore
internal import UploaderCore

/// What a run over rows is made from, besides its script.
struct BulkSetup {
  /// The full path of the rows; nil: they came through a pipe.
  var rows: String?
  var share: (index: Int, count: Int)?
  var selections: [String] = []
  /// What makes the digests of its rows its own.
  var salt: [UInt8]

  private static let member = "bulk"

  init(rows: String?, share: (index: Int, count: Int)?, selections: [String]) {
    self.rows = rows
    self.share = share
    self.selections = selections
    var generator = SystemRandomNumberGenerator()
    salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// nil: it is not one over rows.
  init?(_ parameters: JSON) {
    guard let own = parameters[Self.member], let salt = own["salt"]?.array else { return nil }
    self.salt = salt.compactMap { $0.int.flatMap(UInt8.init(exactly:)) }
    rows = own["rows"]?.string
    if let index = own["index"]?.int, let count = own["of"]?.int { share = (index, count) }
    selections = (own["select"]?.array ?? []).compactMap(\.string)
  }

  func added(to parameters: JSON) -> JSON {
    guard var object = parameters.object else { return parameters }
    var own: JSONObject = [
      "salt": .array(salt.map { ^Int($0) }), "select": .array(selections.map(JSON.string)),
    ]
    own["rows"] = rows.map(JSON.string)
    own["index"] = share.map { ^$0.index }
    own["of"] = share.map { ^$0.count }
    object[Self.member] = .object(own)
    return .object(object)
  }
}
