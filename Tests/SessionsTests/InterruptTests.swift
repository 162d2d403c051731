import Sessions
import Testing

/// Which work an interrupt ends.
struct InterruptTests {
  @Test func `the innermost work is ended, and the next interrupt ends the work around it`() async {
    let interrupts = Interrupts()
    let (inner, outer) = await interrupts.withCancellation {
      let inner = await interrupts.withCancellation {
        #expect(interrupts.interrupt())
        return Task.isCancelled
      }
      let wasCancelled = Task.isCancelled
      #expect(interrupts.interrupt())
      return (inner, !wasCancelled && Task.isCancelled)
    }
    #expect(inner && outer)
  }

  @Test func `if nothing is under way, an interrupt ends nothing`() async {
    let interrupts = Interrupts()
    #expect(!interrupts.interrupt())
    let isCancelled = await interrupts.withCancellation { Task.isCancelled }
    #expect(!isCancelled)
  }

  @Test func `work that does not react is not interrupted twice`() async {
    let interrupts = Interrupts()
    await interrupts.holding {
      await interrupts.withCancellation {
        #expect(interrupts.interrupt())
        #expect(!interrupts.interrupt())
      }
    }
  }

  @Test func `between two pieces of work an interrupt is kept for the next one`() async {
    let interrupts = Interrupts()
    await interrupts.holding {
      #expect(interrupts.interrupt())
      let first = await interrupts.withCancellation {
        while !Task.isCancelled { await Task.yield() }
        return true
      }
      let second = await interrupts.withCancellation { Task.isCancelled }
      #expect(first && !second)
    }
    #expect(!interrupts.interrupt())
  }
}
