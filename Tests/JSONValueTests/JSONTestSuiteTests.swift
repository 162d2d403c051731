import ConformanceSuites
import JSONValue
import Testing

/// nst/JSONTestSuite.
private let jsonTestSuite = ConformanceSuite(
  "json", file: "test_parsing", purpose: "no JSON is checked against JSONTestSuite")

@Suite(.enabled(if: jsonTestSuite.isHere, "\(ConformanceSuite.absence)")) struct JSONTestSuiteTests {
  private func parse(_ bytes: [UInt8]) -> Result<JSON, JSONSyntaxError> {
    Result { () throws(JSONSyntaxError) in try JSON(parsing: bytes) }
  }

  @Test func `everything that is JSON is accepted, and reads back the same when printed`() throws {
    let files = try jsonTestSuite.files("test_parsing", prefix: "y_")
    #expect(files.count == 95)
    for file in files {
      let value = try parse(file.bytes).get()
      #expect(try parse(JSONPrinter.compact.print(value)).get() == value, "\(file.name)")
      #expect(try parse(JSONPrinter.pretty.print(value)).get() == value, "\(file.name)")
      #expect(try JSONDocument(file.bytes).json == value, "\(file.name)")
    }
  }

  @Test func `everything that is not JSON is refused, with a place within the text`() throws {
    let files = try jsonTestSuite.files("test_parsing", prefix: "n_")
    #expect(files.count == 188)
    for file in files {
      let error = #expect(throws: JSONSyntaxError.self, "\(file.name)") { try parse(file.bytes).get() }
      #expect((0...file.bytes.count).contains(error?.offset ?? -1), "\(file.name)")
      let validation = #expect(throws: JSONSyntaxError.self) { try JSONParser().validate(file.bytes) }
      #expect(validation == error, "\(file.name)")
    }
  }

  /// The cases that RFC 8259 leaves open, and the decision made here.
  static let decisions: [String: JSONSyntaxError.Fact?] = [
    // Numbers are text: no magnitude is too large or too small.
    "i_number_double_huge_neg_exp.json": .none,
    "i_number_huge_exp.json": .none,
    "i_number_neg_int_huge_exp.json": .none,
    "i_number_pos_double_huge_exp.json": .none,
    "i_number_real_neg_overflow.json": .none,
    "i_number_real_pos_overflow.json": .none,
    "i_number_real_underflow.json": .none,
    "i_number_too_big_neg_int.json": .none,
    "i_number_too_big_pos_int.json": .none,
    "i_number_very_big_negative_int.json": .none,
    // Half a surrogate pair is not a character; a string that held another in its place would be a lie.
    "i_object_key_lone_2nd_surrogate.json": .loneSurrogate,
    "i_string_1st_surrogate_but_2nd_missing.json": .loneSurrogate,
    "i_string_1st_valid_surrogate_2nd_invalid.json": .loneSurrogate,
    "i_string_incomplete_surrogate_and_escape_valid.json": .loneSurrogate,
    "i_string_incomplete_surrogate_pair.json": .loneSurrogate,
    "i_string_incomplete_surrogates_escape_valid.json": .loneSurrogate,
    "i_string_invalid_lonely_surrogate.json": .loneSurrogate,
    "i_string_invalid_surrogate.json": .loneSurrogate,
    "i_string_inverted_surrogates_U+1D11E.json": .loneSurrogate,
    "i_string_lone_second_surrogate.json": .loneSurrogate,
    // The same for bytes that are not UTF-8.
    "i_string_UTF-8_invalid_sequence.json": .invalidUTF8,
    "i_string_UTF8_surrogate_U+D800.json": .invalidUTF8,
    "i_string_invalid_utf-8.json": .invalidUTF8,
    "i_string_iso_latin_1.json": .invalidUTF8,
    "i_string_lone_utf8_continuation_byte.json": .invalidUTF8,
    "i_string_not_in_unicode_range.json": .invalidUTF8,
    "i_string_overlong_sequence_2_bytes.json": .invalidUTF8,
    "i_string_overlong_sequence_6_bytes.json": .invalidUTF8,
    "i_string_overlong_sequence_6_bytes_null.json": .invalidUTF8,
    "i_string_truncated-utf-8.json": .invalidUTF8,
    // UTF-16 is not JSON between systems (RFC 8259 §8.1).
    "i_string_UTF-16LE_with_BOM.json": .expected(.value),
    "i_string_utf16BE_no_BOM.json": .expected(.value),
    "i_string_utf16LE_no_BOM.json": .expected(.valueOrArrayEnd),
    // Within the 512 levels that are allowed.
    "i_structure_500_nested_arrays.json": .none,
    // A byte order mark, which RFC 8259 §8.1 lets a parser skip.
    "i_structure_UTF-8_BOM_empty_object.json": .none,
  ]

  @Test func `the cases left open have been decided`() throws {
    let files = try jsonTestSuite.files("test_parsing", prefix: "i_")
    #expect(Set(files.map(\.name)) == Set(Self.decisions.keys))
    for file in files {
      let fact: JSONSyntaxError.Fact? =
        switch parse(file.bytes) {
        case .success: nil
        case .failure(let error): error.fact
        }
      #expect(fact == Self.decisions[file.name, default: nil], "\(file.name)")
    }
  }

  /// Inputs that parsers treat differently. Here nothing is changed: whatever is accepted is printed as it came.
  static let refusedTransforms: [String: JSONSyntaxError.Fact] = [
    "string_1_escaped_invalid_codepoint.json": .loneSurrogate,
    "string_2_escaped_invalid_codepoints.json": .loneSurrogate,
    "string_3_escaped_invalid_codepoints.json": .loneSurrogate,
    "string_1_invalid_codepoint.json": .invalidUTF8,
    "string_2_invalid_codepoints.json": .invalidUTF8,
    "string_3_invalid_codepoints.json": .invalidUTF8,
  ]

  @Test func `inputs that others transform stay as they are, or are refused`() throws {
    let files = try jsonTestSuite.files("test_transform")
    #expect(files.count == 22)
    for file in files {
      switch parse(file.bytes) {
      case .success(let value):
        #expect(Self.refusedTransforms[file.name] == nil, "\(file.name)")
        let printed = JSONPrinter.compact.print(value)
        #expect(printed == file.bytes.filter { $0 > 0x20 }, "\(file.name): \(value)")
      case .failure(let error):
        #expect(error.fact == Self.refusedTransforms[file.name], "\(file.name)")
      }
    }
  }
}
