/// Holds a value with many parts in one place, so that passing it on retains one reference instead of one per part. A
/// change copies the value only if it is shared.
///
/// An array with one element is how the standard library provides such a place: it checks `isKnownUniquelyReferenced`,
/// and is `Sendable` without `@unchecked`. Everything is inlined, so a key path compiles to a field access and is not
/// an object.
@dynamicMemberLookup
public struct CopyOnWrite<Value: Sendable>: Sendable {
  @usableFromInline var values: ContiguousArray<Value>

  /// Puts the value in a place of its own.
  @inlinable public init(_ value: Value) {
    values = [value]
  }

  /// All of it.
  @inlinable public var whole: Value {
    _read { yield values[0] }
    _modify { yield &values[0] }
  }

  /// A read-only part.
  @inlinable public subscript<Part>(dynamicMember path: KeyPath<Value, Part>) -> Part {
    values[0][keyPath: path]
  }

  /// A part that can be changed.
  @inlinable public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Part {
    get { values[0][keyPath: path] }
    _modify { yield &values[0][keyPath: path] }
  }
}

extension CopyOnWrite: Equatable where Value: Equatable {}
extension CopyOnWrite: Hashable where Value: Hashable {}
