import Eventually
import Foundation
import JSONValue
import Sandbox
import Testing

/// A large file in parts, killed in the middle and resumed.
@Suite(.timeLimit(.minutes(10))) struct LargeUploadTests {
  private static let partSize = 5 << 20
  private static let partCount = 40

  @Test func `200 MiB in parts, killed halfway, continue with the parts that are missing`() async throws {
    let log = try TemporaryFile("", name: "log.received")
    let film = try TemporaryFile("", name: "film.bin")
    let digest = try Self.fill(film)
    var options = SandboxOptions()
    options.logFile = log.path
    options.dataDirectory = log.path + ".data"
    try await Sandbox.run(options) { endpoints in
      let store = ["--store", log.path + ".d"]
      let upload = Process()
      upload.executableURL = Workbench.executable
      upload.arguments =
        [
          "run", Workbench.examples + "/chunked-upload.wb", "put-large", "--set", "storage-url=\(endpoints.storage)",
          "--set", "key=film.bin", "--set", "film=\(film.path)",
        ] + store
      upload.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
      upload.standardOutput = FileHandle.nullDevice
      upload.standardError = FileHandle.nullDevice
      try upload.run()
      let isHalfDone = try await eventually {
        try Self.parts(in: log).count >= Self.partCount / 2 || !upload.isRunning
      }
      #expect(isHalfDone)
      #expect(kill(upload.processIdentifier, SIGKILL) == 0)
      #expect(try await eventually { !upload.isRunning })
      let before = try Self.parts(in: log)

      let outcome = try await Workbench.run(["resume", "last"] + store)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let all = try Self.parts(in: log)
      let isComplete = Set(all) == Set((1...Self.partCount).map(String.init))
      #expect(isComplete)
      // Up to four were under way when it was killed, and as many may have ended without a record yet.
      #expect(all.count <= Self.partCount + 8)
      let object = try Data(contentsOf: URL(filePath: log.path + ".data/public%2Ffilm.bin"), options: .alwaysMapped)
      #expect(Digest.sha256(object) == digest)
      print("\(before.count) parts were received before the kill, \(all.count - before.count) after it")
    }
  }

  /// The numbers of the parts that were received, in order.
  private static func parts(in log: TemporaryFile) throws -> [String] {
    try log.read().split(separator: "\n").compactMap { line in
      guard let target = try JSON(parsing: String(line))["target"]?.string,
        let number = target.firstMatch(of: /partNumber=(\d+)/)?.output.1
      else { return nil }
      return String(number)
    }
  }

  /// Different bytes in every part.
  private static func fill(_ file: TemporaryFile) throws -> String {
    var content = Data(capacity: partCount * partSize)
    for part in 0..<partCount {
      let line = Data("part \(part) of the film\n".utf8)
      var piece = Data()
      while piece.count < 1 << 14 { piece += line }
      for _ in 0..<partSize >> 14 { content += piece.prefix(1 << 14) }
    }
    try content.write(to: file.url)
    return Digest.sha256(content)
  }
}
