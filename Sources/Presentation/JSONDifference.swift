package import JSONValue
internal import Requests

/// Where two JSON values differ.
package struct JSONDifference: Hashable {
  package let path: String
  package let left: String?
  package let right: String?

  /// Every differing place, each as deep as possible.
  package static func between(_ left: JSON, _ right: JSON, path: String = "") -> [JSONDifference] {
    switch (left, right) {
    case (.object(let mine), .object(let theirs)):
      var keys: [String] = []
      for key in mine.keys + theirs.keys where !keys.contains(key) { keys.append(key) }
      return keys.flatMap { key -> [JSONDifference] in
        let place = "\(path).\(key)"
        guard let first = mine[key], let second = theirs[key] else {
          return [JSONDifference(path: place, left: mine[key].map(shown), right: theirs[key].map(shown))]
        }
        return between(first, second, path: place)
      }
    case (.array(let mine), .array(let theirs)) where mine.count == theirs.count:
      return zip(mine, theirs).enumerated().flatMap { between($1.0, $1.1, path: "\(path)[\($0)]") }
    default:
      return left == right ? [] : [JSONDifference(path: path, left: shown(left), right: shown(right))]
    }
  }

  private static func shown(_ json: JSON) -> String {
    CutText.cut("\(json)", to: 100)
  }
}
