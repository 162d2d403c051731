/// Holds a value of many parts in one place, so that handing it on is one count of references and not one for each part.
/// A change copies the value only where somebody else has it too.
///
/// An array of one is the standard library's own such place: it asks `isKnownUniquelyReferenced`, and is `Sendable`
/// without a promise of ours. All of it is inlined, so that a key path is the way to a field and no object.
@dynamicMemberLookup
public struct CopyOnWrite<Value: Sendable>: Sendable {
  @usableFromInline var values: ContiguousArray<Value>

  /// The value, in a place of its own.
  @inlinable public init(_ value: Value) {
    values = [value]
  }

  /// A part that stays as it is.
  @inlinable public subscript<Part>(dynamicMember path: KeyPath<Value, Part>) -> Part {
    values[0][keyPath: path]
  }

  /// A part that may be changed.
  @inlinable public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Part {
    get { values[0][keyPath: path] }
    _modify { yield &values[0][keyPath: path] }
  }
}

extension CopyOnWrite: Equatable where Value: Equatable {}
extension CopyOnWrite: Hashable where Value: Hashable {}
