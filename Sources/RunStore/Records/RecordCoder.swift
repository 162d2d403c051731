internal import Requests

/// What a text in a record may contain, which determines how it is stored.
enum TextKind {
  /// No secret.
  case open
  /// A secret that has to be complete when the run continues: a marker replaces it.
  case kept
  /// A secret or a cookie, in text written for people: neither has to be restored.
  case told
}

/// A value that is stored as a sequence of fields, each with a tag.
///
/// `code` names the fields, once: what is written, what is read and where secrets may appear follow from it. A field
/// that is added takes a tag that was never used in this record. An earlier program skips it, and a record of an
/// earlier program lacks it, so it is optional or has a value that represents its absence.
protocol Record {
  /// Its value before any field was read.
  init()

  /// Goes through the fields. Tags below 16 take one byte.
  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure)
}

/// Goes through the fields of records: to write them, to read them, or to change the texts in them.
protocol RecordCoder {
  associatedtype Failure: Error

  mutating func number(_ tag: UInt, _ number: inout Int) throws(Failure)
  /// A number that may be absent.
  mutating func number(_ tag: UInt, _ number: inout Int?) throws(Failure)
  mutating func numbers(_ tag: UInt, _ numbers: inout [Int]) throws(Failure)
  /// A value of a closed list, by its number.
  mutating func value<Value: RawRepresentable<Int>>(_ tag: UInt, _ value: inout Value) throws(Failure)
  mutating func text(_ tag: UInt, _ text: inout String, _ kind: TextKind) throws(Failure)
  /// A text that may be absent.
  mutating func text(_ tag: UInt, _ text: inout String?, _ kind: TextKind) throws(Failure)
  /// Bytes that may be absent, and may contain a secret.
  mutating func bytes(_ tag: UInt, _ bytes: inout [UInt8]?) throws(Failure)
  /// - Returns: its size, if that is not the size of what takes its place, because there are secrets in it.
  mutating func body(_ tag: UInt, _ body: inout ResponseBody) throws(Failure) -> Int?
  /// The fields of a head, in order. Names and values may contain a secret.
  mutating func fields(_ tag: UInt, _ fields: inout [RecordedRequest.Field]) throws(Failure)
  mutating func record<Inner: Record>(_ tag: UInt, _ record: inout Inner) throws(Failure)
  /// A record that may be absent.
  mutating func record<Inner: Record>(_ tag: UInt, _ record: inout Inner?) throws(Failure)
  mutating func records<Inner: Record>(_ tag: UInt, _ records: inout [Inner]) throws(Failure)
}

extension RecordCoder {
  /// A time, or how long something took, in microseconds.
  mutating func duration(_ tag: UInt, _ duration: inout Duration) throws(Failure) {
    let whole = duration.wholeMicroseconds
    var number = whole
    try self.number(tag, &number)
    if number != whole { duration = .microseconds(number) }
  }

  /// A time that may be absent.
  mutating func duration(_ tag: UInt, _ duration: inout Duration?) throws(Failure) {
    let whole = duration?.wholeMicroseconds
    var number = whole
    try self.number(tag, &number)
    if number != whole { duration = number.map { .microseconds($0) } }
  }
}

/// How a field is encoded: the lowest three bits of its key, above which its tag is.
///
/// A reader that does not know a tag continues after the field. A key that is 0 ends a record.
enum FieldType: UInt {
  /// Its difference from the previous number at this place.
  case number = 1
  /// The number equals the previous one at this place.
  case sameNumber = 2
  /// Its length, and its bytes.
  case text = 3
  /// The text equals the previous one at this place.
  case sameText = 4
  /// The count, then for each its length plus one and its bytes; or 0 if it equals the previous one at this place.
  case texts = 5
  /// The count, then the difference for each.
  case numbers = 6
  /// Fields, until a key that is 0.
  case record = 7
}
