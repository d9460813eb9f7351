import Holdfast
import HoldfastCommand
import Testing

struct FilterTextTests {
    @Test(arguments: [
        ("stars >= 3", Filter("stars", .isAtLeast, 3)),
        ("stars>=3", Filter("stars", .isAtLeast, 3)),
        ("stars < 3.5", Filter("stars", .isLess, 3.5)),
        ("stars != null", Filter("stars", .differs, .null)),
        ("name = New York", Filter("name", .equals, "New York")),
        ("name = \"7\"", Filter("name", .equals, "7")),
        ("name = \"\"", Filter("name", .equals, "")),
        ("name begins Br", Filter("name", .begins, "Br")),
        ("tags contains rye", Filter("tags", .contains, "rye")),
        ("n in [1, 2]", Filter("n", .isIn, [1, 2])),
        ("\"my field\" = 1", Filter("my field", .equals, 1)),
        ("\"a\\\"b\" = 1", Filter("a\"b", .equals, 1)),
        ("in in [1]", Filter("in", .isIn, [1])),
        ("a = =b", Filter("a", .equals, "=b")),
        ("a = -x", Filter("a", .equals, "-x")),
        ("a = b {", Filter("a", .equals, "b {")),
    ])
    func aConditionIsFieldOperatorValue(_ text: String, _ filter: Filter) throws {
        let read = try FilterText(text).filter()
        #expect(read.description == filter.description)
    }

    @Test(arguments: [
        "", "stars", "= 3", "stars ~ 3", "name beginsBr", "n in 3", "n begins 3", "\"a = 1",
        "n = 99999999999999999999", "\"a\\", "a == b", "a =< 3", "a => 3", "a <> 3", "a =~ b",
        "a = {", "a = [1,", "a = {\"b\":}", "a = \"open", "a = \"b\" c", "name =", "name >= ",
        "n in", "name begins",
    ])
    func aConditionThatSaysNothingIsRefused(_ text: String) {
        #expect(throws: UsageError.self) { try FilterText(text).filter() }
    }
}
