import Foundation
import JSONValue
import LibcurlTransport
import Requests
import UploaderCore

struct Job: Decodable {
  let id: Int
  let title: String
  let state: String
}

extension Request where Output == [Job] {
  static var allJobs: Request { .json(.get, "/jobs") }
}

extension Request where Output == Job {
  static func close(_ id: Int) -> Request { .json(.patch(["state": "closed"]), "/jobs/\(id)") }
}

/// Lists the jobs of an API, closes those that are open, and reports it.
@main struct JobsClient {
  static func main() async throws {
    let url = ProcessInfo.processInfo.environment["JOBS_URL"] ?? "http://127.0.0.1:8080"
    let jobs = Uploader(
      transport: CurlTransport(),
      profiles: [try .api(url, token: .environment("JOBS_TOKEN"))],
      report: { error in FileHandle.standardError.write(Data("reported: \(error.outcome)\n".utf8)) })
    do {
      for job in try await jobs.send(.allJobs) where job.state == "open" {
        let closed = try await jobs.send(.close(job.id))
        print("\(closed.title) is \(closed.state)")
      }
    } catch .status(let status, let response) {
      print("the API answered \(status): \((try? response.text()) ?? "")")
      exit(1)
    } catch {
      print(error)
      exit(1)
    }
  }
}
