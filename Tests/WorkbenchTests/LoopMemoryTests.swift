import Foundation
import LoopbackServer
import Synchronization
import Testing

/// What a loop over many items keeps of them.
@Suite(.timeLimit(.minutes(3))) struct LoopMemoryTests {
  private static let rounds = 600
  /// In bytes.
  private static let size = 100 << 10

  /// The largest memory of a process so far, in MiB.
  private static func peak(of process: pid_t) -> Double {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kib = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Double($0) }
    return (kib ?? 0) / 1024
  }

  /// Runs a loop, and what comes after it.
  ///
  /// - Returns: the largest memory of the process until the last request, in MiB.
  private func peak(after rest: String) async throws -> Double {
    let process = Mutex<pid_t?>(nil)
    let peak = Mutex(0.0)
    let text = String(repeating: "x", count: Self.size)
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        if request.head.contains("/last"), let process = process.withLock({ $0 }) {
          peak.withLock { $0 = Self.peak(of: process) }
        }
        try connection.respond(headers: ["Content-Type: application/json"], body: "{\"text\": \"\(text)\", \"n\": 7}")
      }
    }
    let script = try TemporaryFile(
      """
      for $i in range(1, \(Self.rounds)) parallel 4 {
        look: GET \(server.url)/items/{$i}
          expect body.n == 7
      }
      \(rest.replacing("LAST", with: "\(server.url)/last"))

      """, name: "loop.wb")
    let outcome = try await Workbench.run(["run", "--no-record", "--quiet", script.path]) { pid in
      process.withLock { $0 = pid }
    }
    #expect(outcome.code == 0, "\(outcome)")
    return peak.withLock { $0 }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func `only what is referred to after a loop is kept of its rounds`() async throws {
    let forgotten = try await peak(after: "GET LAST")
    let kept = try await peak(after: "GET LAST?n={$look[\(Self.rounds - 1)].body.n}")
    let all = Double(Self.rounds * Self.size) / 1_048_576
    #expect(kept - forgotten > all / 2, "\(kept) MiB and \(forgotten) MiB")
  }

  /// - Returns: the largest memory of a process that runs so many rounds, in MiB.
  private func peak(rounds: Int, _ pace: String) async throws -> Double {
    let process = Mutex<pid_t?>(nil)
    let peak = Mutex(0.0)
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        if request.head.contains("/last"), let process = process.withLock({ $0 }) {
          peak.withLock { $0 = Self.peak(of: process) }
        }
        try connection.respond()
      }
    }
    let script = try TemporaryFile(
      """
      for $i in range(1, \(rounds))\(pace) {
        look: GET \(server.url)/items/{$i}
      }
      GET \(server.url)/last

      """, name: "loop.wb")
    let outcome = try await Workbench.run(["run", "--no-record", "--quiet", script.path]) { pid in
      process.withLock { $0 = pid }
    }
    #expect(outcome.code == 0, "\(outcome)")
    return peak.withLock { $0 }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")), arguments: ["", " parallel 8"])
  func `a round takes nothing before it begins and after it is over`(pace: String) async throws {
    let few = try await peak(rounds: 100, pace)
    let many = try await peak(rounds: 6_000, pace)
    print("a loop of 6,000 rounds takes \(many - few) MiB more than one of 100\(pace)")
    // A round in progress takes about 4 KiB.
    #expect(many - few < 9, "\(many) MiB and \(few) MiB")
  }
}
