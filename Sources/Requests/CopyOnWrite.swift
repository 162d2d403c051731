/// Holds a value with many parts in one place, so that passing it on retains one reference instead of one per part. A
/// change copies the value only if it is shared.
///
/// An array with one element is how the standard library provides such a place: it checks `isKnownUniquelyReferenced`,
/// and is `Sendable` without `@unchecked`. Everything is inlined, so a key path compiles to a field access and is not
/// an object.
@dynamicMemberLookup
public struct CopyOnWrite<Whole: Sendable>: Sendable {
  @usableFromInline var values: ContiguousArray<Whole>

  /// Puts the value in a place of its own.
  @inlinable public init(_ value: Whole) {
    values = [value]
  }

  /// All of it.
  @inlinable public var whole: Whole {
    _read { yield values[0] }
    _modify { yield &values[0] }
  }

  /// A read-only part.
  @inlinable public subscript<Part>(dynamicMember path: KeyPath<Whole, Part>) -> Part {
    values[0][keyPath: path]
  }

  /// A part that can be changed.
  @inlinable public subscript<Part>(dynamicMember path: WritableKeyPath<Whole, Part>) -> Part {
    get { values[0][keyPath: path] }
    _modify { yield &values[0][keyPath: path] }
  }
}

extension CopyOnWrite: Equatable where Whole: Equatable {}
extension CopyOnWrite: Hashable where Whole: Hashable {}

extension CopyOnWrite: CustomStringConvertible where Whole: CustomStringConvertible {
  /// The whole's.
  public var description: String { whole.description }
}
