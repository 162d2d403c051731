/// What a place accepts.
enum WantedType: Hashable, Sendable {
  case text, truth, number, duration, size, object, array, json
  /// What `contains` and `in` search.
  case container
  /// The value of `body`.
  case body
  /// The value of a field in `multipart`.
  case part
  /// The value of a field in `form`.
  case field
  /// What is piped into a function, in the function's words.
  case input(function: String, String)

  /// The one kind that it accepts; nil if there are several.
  var only: StaticType? {
    switch self {
    case .truth: .bool
    case .number, .size: .number
    case .duration: .duration
    case .object: .object
    case .array: .array
    case .text, .json, .container, .body, .part, .field, .input: nil
    }
  }

  /// How messages describe it: `expected a number`, `upper takes a text`.
  var sentence: String {
    switch self {
    case .text, .field: "expected text, a number, or true or false"
    case .truth: "expected true or false"
    case .number: "expected a number"
    case .duration: "expected a duration such as 10s"
    case .size: "expected a size such as 64GiB"
    case .object: "expected an object"
    case .array: "expected an array"
    case .json: "expected a JSON value"
    case .container: "expected text, an array or an object"
    case .body: "expected a file, bytes or text"
    case .part: "expected text or a file"
    case .input(let function, let wanted): "\(function) takes \(wanted)"
    }
  }

  /// What to write instead of a value of that kind; nil if there is nothing better to suggest.
  func hint(for found: StaticType) -> String? {
    switch (self, found) {
    case (.truth, .string), (.truth, .number), (.truth, .null): "compare it: … == …"
    case (.duration, .number): "add a unit: 500ms, 10s"
    case (.duration, .string): "write it without quotes: 10s"
    case (.number, .string): "… | to-number makes it a number"
    case (.object, .array): "write { name: value }"
    case (.size, .string): "write it without quotes: 64GiB"
    case (.size, .duration): "size units are B, KB, MB, GB, TB, KiB, MiB, GiB, TiB"
    case (.object, .number), (.object, .bool): "write { name: value }"
    case (.input("join", _), .string): "texts are joined in a string: \"{$a}{$b}\""
    case (.input("chunks", _), .string), (.input("parse-csv", _), .number): "file(\"…\") opens a file"
    case (.input(_, "an array"), _): "an array is written [a, b]"
    case (.object, .string): "write { name: value }, or … | parse-json"
    case (.array, .string): "… | split(\",\") makes it an array"
    case (.body, .object), (.body, .array): "for JSON, write json …"
    case (.body, .number), (.body, .bool): "write text … for anything that is not JSON"
    case (.field, .file), (.field, .chunk): "a form with a file is sent in parts: multipart { … }"
    case (_, .file), (_, .chunk): "a file has .name, .size, .type, .sha256, .text, .bytes"
    case (_, .step): "a step has .status, .headers.x, .body.x"
    case (.text, .object), (.part, .object), (.input, .object): "… | json makes it text"
    case (.text, .array), (.field, .array), (.part, .array), (.input, .array):
      "… | first takes its first; … | join(\",\") makes it text, and so does … | json"
    case (.part, .null): "leave the field out; one of a spread: ...$fields | without(\"name\")"
    case (_, .null): "?? gives a default"
    case (_, .duration): "durations are for timeout, repeat and comparisons"
    default: nil
    }
  }
}
