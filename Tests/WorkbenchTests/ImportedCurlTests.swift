import Canaries
import Foundation
import LoopbackServer
import Synchronization
import Testing

/// What `import curl` makes of a shell's curl lines sends what the shell and the real curl send.
@Suite(.timeLimit(.minutes(5))) struct ImportedCurlTests {
  private static let lines = #"""
    curl -s "$BASE/a/$ITEM?q=${ITEM}" -H "X-Item: $ITEM"
    curl -s "http://$AUTHORITY/b" -d "id=$ITEM&price=\$5" -d '$ITEM'
    curl -s "$BASE/json" -H 'Content-Type: application/json' -d "{\"id\": \"$ITEM\"}"
    curl -s -G "$BASE/search" --data-urlencode "q=a b $ITEM&c" -d x=1
    curl -s "$BASE/{one,two}/[08-10]" | jq . | head -1
    curl -s "$BASE/{id}" "$BASE/last"
    curl -s "$BASE/first" -d a=1 --next -s "$BASE/second" -X DELETE
    curl -s "$BASE/p" && curl -s "$BASE/q" > /dev/null 2>&1
    curl -s -u "ann:$WORD" "$BASE/basic"
    curl -s -H "Authorization: Bearer $WORD" "$BASE/bearer"
    curl -s -X PUT --data-binary @- "$BASE/doc" <<EOF
    {
      "item": "$ITEM",
      "price": "\$5"
    }
    EOF
    curl -s -d @- "$BASE/doc" -H 'Content-Type: text/plain' <<'EOF' | grep -v x
    $ITEM is
    as it is
    EOF
    curl -s -d @- "$BASE/word" <<< "it's $ITEM"
    curl -s -d @body.txt "$BASE/file" -H Accept:
    curl -s -F "a=$ITEM" -F 'f=@body.txt;type=text/plain' "$BASE/form"
    curl -s -c jar "$BASE/login"
    curl -s -b jar "$BASE/me"
    curl -s "$BASE/moved"
    curl -sL "$BASE/moved"
    curl -s "$BASE/missing"
    curl -s -b 'a=1' -H 'Cookie: b=2' "$BASE/cookie"
    curl -s -b 'a=1' -b 'b=2' -H 'X-A: 1' -H 'X-A: 2' -H 'X-E;' "$BASE/cookies"
    curl -s -F 'a=x;y' -F 'b="x;y"' -F 'c=x;type=text/plain' "$BASE/parts"
    curl -s -e "$BASE/a" -H 'Referer: b' -r 0-9 -H 'Range: bytes=1-2' "$BASE/headers"
    curl -s -H 'Content-Length: 3' -d a=1 "$BASE/length"
    curl -s --http1.1 -A 'agent/1' -e "$BASE/from" --json '{"a": 1}' "$BASE/end"

    """#

  private final class Log: Sendable {
    let received = Mutex<[(head: String, body: [UInt8])]>([])
  }

  @Test func `a line may be given in place of a file`() async throws {
    let imported = try await Workbench.run(["import", "curl", "curl http://127.0.0.1:1/x -d a=1"])
    #expect(imported.code == 0 && imported.output.contains("POST http://127.0.0.1:1/x"), "\(imported)")
  }

  @Test(arguments: ["a.hurl", "a.http", "a.rest", "curl http://127.0.0.1:1/x"])
  func `what a file is, its ending says`(name: String) async throws {
    let file = try TemporaryFile("GET http://127.0.0.1:1/x\n", name: name.contains(":") ? "a.sh" : name)
    let imported = try await Workbench.run(["import", name.contains(":") ? name : file.path])
    #expect(imported.code == 0 && imported.output.contains("GET http://127.0.0.1:1/x"), "\(imported)")
  }

  @Test func `what a file is has to be said where its ending does not say it`() async throws {
    let file = try TemporaryFile("GET http://127.0.0.1:1/x\n", name: "a.txt")
    let imported = try await Workbench.run(["import", file.path])
    #expect(imported.code == 2 && imported.errors.contains("workbench import hurl|http|curl FILE"), "\(imported)")
    #expect(try await Workbench.run(["import", "http", file.path]).code == 0)
    let missing = try await Workbench.run(["import", "http"])
    #expect(missing.code == 2 && missing.errors.contains("Missing expected argument"), "\(missing)")
  }

  @Test func `what is imported sends what curl sends`() async throws {
    let log = Log()
    let server = try LoopbackServer { connection in
      while let (head, body) = try connection.readRequest() {
        log.received.withLock { $0.append((head, body)) }
        if head.contains("/moved ") {
          try connection.respond("302 Found", headers: ["Location: /there"])
        } else if head.contains("/missing ") {
          try connection.respond("404 Not Found")
        } else {
          try connection.respond(headers: head.contains("/login ") ? ["Set-Cookie: sid=7; Path=/"] : [])
        }
      }
    }
    func take() -> [(head: String, body: [UInt8])] {
      log.received.withLock { received in
        defer { received = [] }
        return received
      }
    }
    let file = try TemporaryFile(Self.lines, name: "lines.sh")
    let folder = file.url.deletingLastPathComponent()
    try Data("one\ntwo\r\n".utf8).write(to: folder.appending(path: "body.txt"))
    let environment = [
      "BASE": "\(server.url)", "AUTHORITY": "\(server.host):\(server.port)", "ITEM": "x-7.y",
      "WORD": Canary.secret("imported-curl"),
      // In the file, they are texts.
      "CURL_COOKIE": "a=1;b=2",
    ]
    let settings = environment.map { "export \($0)='\($1)'\n" }.joined()
    let script = Self.lines.replacing("curl ", with: "curl -q ")
    try Data("\(settings)cd '\(folder.path)'\n\(script)".utf8).write(to: folder.appending(path: "run.given"))
    let command = "bash '\(folder.appending(path: "run.given").path)' > /dev/null 2> /dev/null"
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = system(command)
        continuation.resume()
      }
    }
    let theirs = take()
    #expect(theirs.count >= 30)

    let imported = try await Workbench.run(["import", "curl", file.path])
    #expect(imported.code == 0, "\(imported)")
    try Data(imported.output.utf8).write(to: folder.appending(path: "lines.wb"))
    let outcome = try await Workbench.run(["run", folder.appending(path: "lines.wb").path], environment: environment)
    #expect(outcome.code == 0, "\(outcome)\n\(imported.output)")
    let ours = take()
    #expect(ours.count == theirs.count, "\(imported.output)")
    for (theirs, ours) in zip(theirs, ours) {
      let asked = "accept: -H"
      let wanted = BrowserLineTests.Received(head: theirs.head, body: theirs.body, asked: asked)
      #expect(BrowserLineTests.Received(head: ours.head, body: ours.body, asked: asked) == wanted)
    }
  }
}
