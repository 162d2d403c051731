import Requests
import Testing

struct SaturatingTimeTests {
  private static let all: [Duration] = [
    .zero, .nanoseconds(-1), .seconds(Int.max), .seconds(Int.min), Duration(attoseconds: .max),
    Duration(attoseconds: .min), .seconds(10_413_792_000),
  ]

  @Test func `a conversion is exact, or at its bound`() {
    #expect(Duration.seconds(10_413_792_000).wholeNanoseconds == .max)
    #expect(Duration.seconds(-10_413_792_000).wholeNanoseconds == .min)
    #expect(Duration.seconds(10_413_792_000).wholeMicroseconds == 10_413_792_000_000_000)
    #expect(Duration(attoseconds: .max).wholeSeconds == .max)
    #expect(Duration(attoseconds: .min).wholeMilliseconds == .min)
    #expect(Duration.milliseconds(1_500).wholeSeconds == 1)
    #expect(Duration.since1970(seconds: .max, nanoseconds: .max) > .seconds(Int.max))
    #expect(Duration.since1970(seconds: 10_413_792_000, nanoseconds: 5) == .seconds(10_413_792_000) + .nanoseconds(5))
  }

  @Test func `sums and products end at the bounds`() {
    for left in Self.all {
      for right in Self.all {
        let (sum, difference) = (left.adding(right), left.subtracting(right))
        if right >= .zero { #expect(sum >= left && difference <= left) }
        if right <= .zero { #expect(sum <= left && difference >= left) }
      }
      #expect(left.multiplied(by: .max) >= .zero || left < .zero)
      #expect(left.multiplied(by: -1) <= .zero || left < .zero)
    }
    #expect(Duration(attoseconds: .max).adding(.seconds(1)) == Duration(attoseconds: .max))
    #expect(Duration(attoseconds: .min).subtracting(.seconds(1)) == Duration(attoseconds: .min))
    #expect(Duration.seconds(Int.max).multiplied(by: .min) == Duration(attoseconds: .min))
  }

  @Test func `every day of the calendar survives a round trip`() {
    for day in stride(from: CivilTime.first.wholeSeconds / 86_400, to: CivilTime.last.wholeSeconds / 86_400, by: 37) {
      let time = CivilTime(.seconds(day * 86_400 + 3_661))
      #expect(CivilTime.days(year: time.year, month: time.month, day: time.day) == day)
      #expect((time.hour, time.minute, time.second) == (1, 1, 1))
      #expect((1...12).contains(time.month) && (1...31).contains(time.day))
    }
    for time in Self.all { #expect((0...9999).contains(CivilTime(time).year)) }
  }
}
