extension Int {
  /// As people read it: `48,213`.
  package var grouped: String {
    var grouped = ""
    for (index, digit) in String(magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { grouped.append(",") }
      grouped.append(digit)
    }
    return (self < 0 ? "-" : "") + String(grouped.reversed())
  }
}
