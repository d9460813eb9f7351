import Foundation
import Holdfast

struct Recipe: Record {
    static let table: TableName = "recipes"
    var id = RecordID.make()
    var title = ""
    var course = "main"
    var stars: Int?
    var minutes = 30
    var tags: [String] = []
    var cookedAt = Date(timeIntervalSince1970: 0)
}

let schema = Schema(version: 1) {
    Table(Recipe.self) {
        Index("course", "minutes")
        Index("cookedAt")
    }
}
let store = try await Store(storage: MemoryStorage(), schema: schema)
try await store.write { transaction in
    for (title, course, stars, minutes, tags) in [
        ("Bread", "bakery", 5, 180, ["vegan"]), ("Brioche", "bakery", 4, 240, []),
        ("Lentil soup", "main", 4, 40, ["vegan", "quick"]),
        ("Omelette", "main", nil, 10, ["quick"]),
        ("Risotto", "main", 3, 35, []), ("Tiramisu", "dessert", 5, 45, []),
    ] as [(String, String, Int?, Int, [String])] {
        var recipe = Recipe(title: title, course: course, stars: stars)
        recipe.minutes = minutes
        recipe.tags = tags
        recipe.cookedAt = Date(timeIntervalSince1970: Double(minutes) * 86_400)
        try transaction.put(recipe)
    }
}

/// The titles of a query's recipes.
func titles(_ query: Query<Recipe>) throws -> [String] {
    try store.read { try $0.fetch(query).map(\.title) }
}

let quick = Recipe.query
    .where("course", .equals, "main")
    .where("minutes", .isLess, 40)
    .order(by: "minutes")
print("quick:", try titles(quick))

let good = Recipe.query
    .filter(
        .any(
            Filter("stars", .isAtLeast, 5),
            .all(Filter("tags", .contains, "vegan"), .not(Filter("course", .equals, "bakery")))
        )
    )
    .order(by: "stars", .descending)
    .order(by: "title")
print("good:", try titles(good))

print("unrated:", try titles(Recipe.query.where("stars", .equals, .null)))
print("below 4:", try titles(Recipe.query.where("stars", .isLess, 4).order(by: "title")))
print("by start:", try titles(Recipe.query.where("title", .begins, "Br").order(by: "title")))
print("one of:", try titles(Recipe.query.where("minutes", .isIn, [10, 45]).order(by: "title")))

let since = Date(timeIntervalSince1970: 100 * 86_400)
print("since:", try titles(Recipe.query.where("cookedAt", .isAtLeast, .date(since))))

try store.read { transaction in
    print("count:", try transaction.count(quick))
    print("exists:", try transaction.exists(good))
    print("first:", try transaction.first(good)?.title ?? "none")
}

// Values computed over a query.
try store.read { transaction in
    print("longest:", try transaction.maximum(of: "minutes", in: Recipe.query) ?? .null)
    print("soonest:", try transaction.minimum(of: "minutes", in: good) ?? .null)
    print("together:", try transaction.sum(of: "minutes", in: quick))
    print("mean:", try transaction.average(of: "stars", in: Recipe.query) ?? 0)
}

// Pages: each begins behind the last record of the one before, whatever was written meanwhile.
var page = Recipe.query.order(by: "title").limit(4)
var number = 1
while true {
    let part = try store.read { try $0.page(page) }
    print("page \(number):", part.rows.map(\.title))
    guard let next = part.next else { break }
    page = page.after(next)
    number += 1
}

// One record at a time, however many there are.
var total = 0
try store.read { transaction in
    _ = try transaction.forEach(Recipe.query) { recipe in
        total += recipe.minutes
        return true
    }
}
print("minutes:", total)

print(try store.read { try $0.explain(quick) })
print(try store.read { try $0.explain(Recipe.query.where("stars", .equals, 5)) })
