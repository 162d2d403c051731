import Testing

@testable import Requests

@Suite struct DateTests {
  private static let moment = Duration.seconds(1_767_323_045)

  @Test(arguments: [
    (DateText.http("Fri, 02 Jan 2026 03:04:05 GMT"), moment), (DateText.http("Fri, 02 Jan 2026 24:04:05 GMT"), nil),
    (DateText.http("Fri, 02 Jam 2026 03:04:05 GMT"), nil), (DateText.http("2026-01-02T03:04:05Z"), nil),
    (DateText.basic("20260102T030405Z"), moment), (DateText.basic("20260102T030405"), nil),
    (DateText.basic("2026010T0030405Z"), nil), (DateText.basic("20261302T030405Z"), nil),
    (DateText.basic("+0260102T030405Z"), nil), (DateText.cookie("Fri, 02-Jan-26 03:04:05 GMT"), moment),
    (DateText.cookie("3:4:5 2026 jan 2"), moment), (DateText.cookie("3:4:60 2026 jan 2"), nil),
    (DateText.cookie("02 Jan 1600 03:04:05"), nil),
    (DateText.rfc3339("2026-01-02T03:04:05Z"), moment), (DateText.rfc3339("2026-01-02t03:04:05z"), moment),
    (DateText.rfc3339("2026-01-02 04:34:05+01:30"), moment), (DateText.rfc3339("2026-01-01T22:04:05-05:00"), moment),
    (DateText.rfc3339("2026-01-02T03:04:05.25Z"), moment + .milliseconds(250)),
    (DateText.rfc3339("2026-01-02T03:04:05.0000000019Z"), moment + .nanoseconds(1)),
    (DateText.rfc3339("2026-01-02T03:04:05.Z"), nil), (DateText.rfc3339("2026-01-02T03:04:05"), nil),
    (DateText.rfc3339("2026-01-02T03:04:05+24:00"), nil), (DateText.rfc3339("2026-02-29T03:04:05Z"), nil),
    (DateText.rfc3339("2024-02-29T00:00:00Z"), .seconds(1_709_164_800)),
    (DateText.rfc3339("2026-01-02T03:04:05ZZ"), nil),
    (DateText.rfc3339("٢٠٢٦-01-02T03:04:05Z"), nil), (DateText.rfc3339(""), nil),
  ])
  func `a date is read if it is written as its standard requires`(found: Duration?, expected: Duration?) {
    #expect(found == expected)
  }

  @Test func `a time is written in each format, and read back as the same`() {
    let time = CivilTime(Self.moment + .milliseconds(7))
    #expect(time.rfc3339 == "2026-01-02T03:04:05.007Z")
    #expect(time.rfc3339Milliseconds == "2026-01-02T03:04:05.007Z")
    #expect(CivilTime(Self.moment).rfc3339 == "2026-01-02T03:04:05Z")
    #expect(CivilTime(Self.moment).rfc3339Milliseconds == "2026-01-02T03:04:05.000Z")
    #expect(time.basic == "20260102T030405Z")
    #expect(DateText.basic(time.basic) == Self.moment)
    #expect(DateText.rfc3339(time.rfc3339) == Self.moment + .milliseconds(7))
  }
}
