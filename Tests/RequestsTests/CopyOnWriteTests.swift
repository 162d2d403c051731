import HTTPTypes
import Requests
import Testing

@Suite struct CopyOnWriteTests {
  @Test func `a change affects only the one copy`() {
    var first = RequestHead(.get, .url("http://a.test/")) { $0.items = [1] }
    let second = first
    #expect(first == second && first.hashValue == second.hashValue)
    first.items.append(2)
    first.label = "changed"
    #expect(first.items == [1, 2] && second.items == [1] && second.label == nil)
    #expect(first != second)
  }

  @Test func `a value that is not shared is changed in place`() {
    var head = RequestHead(.get, .url("http://a.test/")) { $0.items = Array(0..<1_000) }
    let place = head.items.withUnsafeBufferPointer { $0.baseAddress }
    head.items[0] = 7
    head.label = "same"
    #expect(head.items.withUnsafeBufferPointer { $0.baseAddress } == place && head.items[0] == 7)
    let copy = head
    head.items[0] = 8
    #expect(copy.items[0] == 7 && head.items[0] == 8)
  }
}
