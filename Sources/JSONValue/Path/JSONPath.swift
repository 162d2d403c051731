/// A JSONPath query (RFC 9535): selects nodes of a JSON value.
///
///     let path = try JSONPath("$.store.book[?@.price < 10].title")
///     let titles = path.values(in: json)
public struct JSONPath: Hashable, Sendable {
  /// What is applied in turn, starting at the root.
  public var segments: [Segment]

  /// A path with these segments; without any, the root itself.
  public init(_ segments: [Segment] = []) {
    self.segments = segments
  }

  /// Whether it finds at most one node, whatever it is applied to: names and indices only (RFC 9535 §2.3.5.1).
  public var isSingular: Bool { segments.allSatisfy(\.isSingular) }

  /// What is applied to each node found so far (RFC 9535 §2.5).
  public enum Segment: Hashable, Sendable {
    /// `[…]`, `.name`, `.*`: to the node.
    case child([Selector])
    /// `..[…]`, `..name`, `..*`: to the node and everything in it.
    case descendant([Selector])

    var isSingular: Bool {
      guard case .child(let selectors) = self, selectors.count == 1 else { return false }
      switch selectors[0] {
      case .name, .index: return true
      case .wildcard, .slice, .filter: return false
      }
    }
  }

  /// Which children of a node are selected (RFC 9535 §2.3).
  public indirect enum Selector: Hashable, Sendable {
    /// The member with that key; if there are several, the last, as everywhere here.
    case name(String)
    /// All members or elements.
    case wildcard
    /// The element there, counted from the end if it is negative.
    case index(Int)
    /// The elements from one index to another.
    case slice(Slice)
    /// The members or elements that a condition holds for.
    case filter(Filter)
  }

  /// `start:end:step`
  public struct Slice: Hashable, Sendable {
    /// The first index, counted from the end if it is negative; nil: the end where the step starts.
    public var start: Int?
    /// The index to stop before, counted from the end if it is negative; nil: the end that the step leads to.
    public var end: Int?
    /// How far to advance each time; backwards if it is negative, nowhere if it is 0.
    public var step: Int

    public init(start: Int? = nil, end: Int? = nil, step: Int = 1) {
      self.start = start
      self.end = end
      self.step = step
    }

    /// The indices that it selects in an array of that many elements, in order (RFC 9535 §2.3.4.2.2).
    public func indices(count: Int) -> StrideTo<Int> {
      func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
      if step > 0 {
        let lower = min(max(normalized(start ?? 0), 0), count)
        return stride(from: lower, to: min(max(normalized(end ?? count), 0), count), by: step)
      }
      guard step < 0 else { return stride(from: 0, to: 0, by: 1) }
      let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
      let lower = end.map { min(max(normalized($0), -1), count - 1) } ?? -1
      return stride(from: upper, to: lower, by: step)
    }

    /// How many elements from the start suffice; nil if it needs all of them.
    var prefixLength: Int? {
      guard step > 0, let end, end >= 0, start ?? 0 >= 0 else { return nil }
      return end
    }
  }

  /// A path within a filter (RFC 9535 §2.3.5).
  public struct Query: Hashable, Sendable {
    /// What a query starts from.
    public enum Root: Hashable, Sendable {
      /// `$`: the root that the whole path is applied to.
      case document
      /// `@`: the child that the filter is applied to.
      case current
    }

    /// What it starts from.
    public var root: Root
    /// What is applied in turn, starting at the root.
    public var segments: [Segment]

    /// The path of these segments from that root.
    public init(_ root: Root, _ segments: [Segment]) {
      self.root = root
      self.segments = segments
    }
  }

  /// `$name` within a filter, followed by a path of names and indices. RFC 9535 does not have it; see `Dialect`.
  public struct Variable: Hashable, Sendable {
    /// Without the `$`.
    public var name: String
    /// The path into its value: names and indices only.
    public var segments: [Segment]

    public init(name: String, segments: [Segment] = []) {
      self.name = name
      self.segments = segments
    }
  }

  /// The value of a variable; nil if there is none.
  public typealias Bindings = (Variable) -> JSON?

  /// Which language a text is in.
  public enum Dialect: Hashable, Sendable {
    /// RFC 9535 as published.
    case standard
    /// For use inside another language: in filters `$name` with names and indices is a comparable, and a `-` joins
    /// names (`@.first-byte`). `$` without a name is the document's root, as published.
    case reference
  }
}
