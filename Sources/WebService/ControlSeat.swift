// Which page controls: several may watch.

/// A page's connection; never used again for another.
public struct PageID: Hashable, Sendable, Comparable {
  public let number: UInt64

  public static func < (a: PageID, b: PageID) -> Bool { a.number < b.number }
}

/// The first page controls. When it leaves, the one that has been there longest does; a page that asks gets control at
/// once, as its player sits before it. A pure value.
struct ControlSeat: Equatable {
  /// In the order they came.
  private(set) var pages: [PageID] = []
  private(set) var holder: PageID?

  mutating func enter(_ page: PageID) {
    pages.append(page)
    holder = holder ?? page
  }

  mutating func leave(_ page: PageID) {
    pages.removeAll { $0 == page }
    if holder == page { holder = pages.first }
  }

  mutating func ask(_ page: PageID) {
    if pages.contains(page) { holder = page }
  }
}
