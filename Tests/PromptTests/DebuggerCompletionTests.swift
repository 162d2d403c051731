import LineEditing
import Requests
import Subcommands
import Testing

@testable import Prompt

@Suite struct DebuggerCompletionTests {
  private func offers(_ text: String) -> [String] {
    let completer = DebuggerCompleter(prompt: .make(), labels: ["allocate", "upload"])
    return completer.completions(of: text, at: text.endIndex).candidates.map(\.text)
  }

  @Test(arguments: [
    ("re", ["resend", "reload"]), ("back ", ["allocate", "upload"]), ("g up", ["upload"]), ("lint a", ["allocate"]),
    ("b ", ["allocate", "upload", "on"]), ("b on st", ["status "]), ("b upload ", ["if"]),
    ("b upload if $1.st", [".status"]), ("p $make.body.it", [".items"]), ("p req", ["request"]),
    ("set $1.body.snap", [".snapshot"]), ("e PUT /x body file(\"pic", ["pictures/"]), ("e resp", ["response"]),
    ("save pic", ["pictures/"]), ("save re", ["response"]), ("n ", []), ("nonsense x", []),
  ])
  func `what can be typed is completed`(text: String, expected: [String]) {
    #expect(offers(text) == expected)
  }
}
