internal import JSONValue

/// Why items cannot be what they would be for HTTPie.
public enum ItemError: Error, Sendable, Hashable {
  /// A word that is not an item.
  case notAnItem(String)
  /// The brackets of a key; what is wrong with them, as a sentence.
  case malformedKey(String, String)
  /// Two items disagree about what is at a place: it is one kind, and the other item wants another.
  case conflict(key: String, place: String, is: String, wanted: String)
  /// What follows `:=` is not JSON.
  case notJSON(key: String, String)
  /// `Header;x`
  case valueOfEmptyHeader(String)
  /// `name=@`, `name@`
  case missingPath(String)
  /// `Cookie: sid=1`, `Cookie:a=1; b=2`: what was meant to be part of a header's value is an item.
  case separateValue(header: String, item: String, isOmitted: Bool)
  /// `multipart`, and no fields.
  case noParts
}

extension ItemError: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .notAnItem(let word): "\"\(word)\" is not a request item"
    case .malformedKey(let key, let sentence): "the key \"\(key)\" cannot be read: \(sentence)"
    case .conflict(let key, let place, let kind, let wanted):
      "\"\(key)\" needs \(wanted) at \"\(place)\", where an earlier item put \(kind)"
    case .notJSON(let key, let text):
      "\"\(text)\" is not JSON, which is what \(key):= takes" + (Self.fault(of: text).map { ": \($0)" } ?? "")
    case .valueOfEmptyHeader(let word): "\"\(word)\" has a value, but a header that ends with ; is sent empty"
    case .missingPath(let word): "\"\(word)\" names no file"
    case .separateValue(let header, let item, _):
      "the value of \(header) ends at the space: \(item) is an item of its own"
    case .noParts: "a multipart body has fields, and there are none"
    }
  }

  /// What is wrong with an array or an object.
  private static func fault(of text: String) -> String? {
    guard let first = text.first, "[{".contains(first) else { return nil }
    do throws(JSONSyntaxError) {
      _ = try JSON(parsing: Array(text.utf8))
      return nil
    } catch {
      return error.line == 1 ? "\(error.sentence) at character \(error.column)" : "\(error)"
    }
  }

  /// What to do about it.
  public var advice: String {
    switch self {
    case .notAnItem(let word) where word.hasPrefix("..."):
      "the members of an object go into a clause: multipart { \(word), file: file(\"…\") }, form { \(word) }"
    case .notAnItem: "items are name=text name:=json name==query Header:value name@file"
    case .malformedKey: "such as a[]=1, a[0]=1, user[name]=ann; a bracket that is part of the name: a\\[b\\]=1"
    case .conflict: "give the place one kind of value"
    case .notJSON(let key, _): "for a text: \(key)=…"
    case .valueOfEmptyHeader(let word):
      word.firstIndex(of: ";").map { "with a value: \(word[..<$0]):\(word[word.index(after: $0)...])" } ?? ""
    case .missingPath: "write its path after the @"
    case .separateValue(let header, _, let isOmitted):
      "write \(header):\"…\"" + (isOmitted ? "; to leave the header out, write it after the other items" : "")
    case .noParts: "they are items: multipart name=text file@photo.png"
    }
  }
}
