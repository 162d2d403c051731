import Foundation
import Testing

/// Other people's readers of reports, where they are: a directory named by `REPORT_READERS` with `bin/junitparser`,
/// `bin/tappy`, `bin/check-jsonschema`, `bin/python` with haralyzer, and Jenkins' `junit-10.xsd`; `xmllint` and `prove`
/// of the system. What is not there is said, and not checked: `Scripts/check-reports` says how to get them.
enum ReportReaders {
  private static let place = ProcessInfo.processInfo.environment["REPORT_READERS"]

  /// Checks the reports of a directory.
  static func check(_ directory: String, _ names: [String], files: Int, cases: Int) async throws {
    guard let place else { return skip("only our own reader looks at the reports; others: Scripts/check-reports") }
    let schema = URL(filePath: Workbench.examples).deletingLastPathComponent()
      .appending(path: "Documentation/report.schema.json").path
    for name in names {
      func path(_ format: String) -> String { "\(directory)/\(name).\(format)" }
      try run(["/usr/bin/xmllint", "--noout", "--schema", "\(place)/junit-10.xsd", path("junit")])
      try run([
        "\(place)/bin/python", "-c",
        """
        from sys import argv
        from junitparser import JUnitXml
        for path in argv[2:]:
            cases = [case for suite in JUnitXml.fromfile(path) for case in suite]
            assert len(cases) == int(argv[1]), len(cases)
        """, "\(cases)", path("junit"), path("junit-gitlab"),
      ])
      try run([
        "\(place)/bin/python", "-c",
        """
        from sys import argv
        from tap.parser import Parser
        lines = list(Parser().parse_file(argv[1]))
        tests = [line for line in lines if line.category == "test"]
        assert len(tests) == int(argv[2]), len(tests)
        assert not [line for line in lines if line.category == "unknown"], lines
        """, path("tap13"), "\(cases)",
      ])
      try run(["/usr/bin/prove", "--exec", "cat", path("tap13")], codes: [1])
      try run([
        "/bin/sh", "-c",
        """
        n=0; while IFS= read -r line; do n=$((n+1)); printf '%s' "$line" > "$2.line$n.json"; done < "$2"
        "$0" --schemafile "$1" "$2".line*.json; code=$?; rm -f "$2".line*.json; exit $code
        """, "\(place)/bin/check-jsonschema", schema, path("jsonl"),
      ])
    }
    try run([
      "\(place)/bin/python", "-c",
      """
      from sys import argv
      from json import load
      from haralyzer import HarParser
      parser = HarParser(load(open(argv[1])))
      assert parser.har_data["entries"]
      """, "\(directory)/r.har",
    ])
  }

  private static func skip(_ reason: String) {
    FileHandle.standardError.write(Data("SKIPPED: \(reason)\n".utf8))
  }

  private static func run(_ arguments: [String], codes: Set<Int32> = [0]) throws {
    guard FileManager.default.isExecutableFile(atPath: arguments[0]) else { return skip("\(arguments[0]) is missing") }
    let process = Process()
    process.executableURL = URL(filePath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(
      codes.contains(process.terminationStatus),
      "\(arguments): \(String(decoding: output, as: UTF8.self))")
  }
}
