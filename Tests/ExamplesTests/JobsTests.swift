import HTTPTypes
import JSONValue
import Jobs
import LibcurlTransport
import Requests
import Sandbox
import Testing
import UploaderCore

/// The jobs of the second seed: listed, offered and modified.
@Suite(.timeLimit(.minutes(5))) struct JobsTests {
  @Test func `jobs are listed, offered and modified`() async throws {
    try await Sandbox.run { endpoints in
      let api = Uploader(
        transport: CurlTransport(), profiles: [try .api(endpoints.api, token: endpoints.token)])

      let jobs = try await api.send(.allJobs)
      #expect(jobs.map(\.title) == ["Roofer", "Plumber"])
      #expect(try await api.send(.jobs(in: .closed)).map(\.id) == [2])

      let offered = try await api.send(.offer(title: "Glazier"))
      let modified = try await api.send(.modify(offered.id, title: "Master glazier", state: .closed))
      #expect(modified.title == "Master glazier" && modified.state == .closed)
      #expect(try await api.send(.allJobs).last == modified)
    }
  }

  @Test func `a refusal by the API is one failure, with its body`() async throws {
    try await Sandbox.run { endpoints in
      let api = Uploader(transport: CurlTransport(), profiles: [try .api(endpoints.api, token: endpoints.token)])
      do throws(RequestFailure) {
        _ = try await api.send(.modify(7, title: "Nobody"))
        Issue.record("no failure")
      } catch .status(.notFound, let response) {
        #expect(try response.json()["error"]?["code"] == "job_not_found")
      } catch {
        Issue.record(error)
      }

      let stranger = Uploader(transport: CurlTransport(), profiles: [try .api(endpoints.api, token: "wrong")])
      do throws(RequestFailure) {
        _ = try await stranger.send(.allJobs)
        Issue.record("no failure")
      } catch {
        #expect(error.response?.status == .unauthorized)
      }
    }
  }
}
