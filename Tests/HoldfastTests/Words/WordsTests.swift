import Foundation
import Holdfast
import Testing

@Suite struct WordsTests {
    @Test(
        arguments: [
            ("", []), ("  ,.-!  ", []), ("Bread, flour & 500 g!", ["500", "bread", "flour", "g"]),
            ("bread Bread BREAD", ["bread"]),
            ("snake_case kebab-case", ["case", "kebab", "snake"]),
            ("a@b.example", ["a", "b", "example"]), ("3.14", ["14", "3"]), ("x²", ["x²"]),
            ("don't", ["don", "dont", "t"]), ("don\u{2019}t", ["don", "dont", "t"]),
            ("l'eau d'Anna's", ["anna", "d", "dannas", "eau", "l", "leau", "s"]),
            ("'quoted' rock 'n' roll", ["n", "quoted", "rock", "roll"]),
            ("O''Brien", ["brien", "o"]),
            ("Café CAFE\u{301} Ærø Straße STRASSE ẞ", ["aero", "cafe", "ss", "strasse"]),
            ("Łódź Đorđe Þór İstanbul ırmak", ["dorde", "irmak", "istanbul", "lodz", "thor"]),
            ("Tiếng Việt", ["tieng", "viet"]), ("ﬁn Ǆ", ["dz", "fin"]), ("ＡＢＣ１", ["abc1"]),
            ("Ὀδυσσεύς ΟΔΟΣ", ["οδοσ", "οδυσσευσ"]), ("Ёлка Чай", ["елка", "чаи"]),
            ("שָׁלוֹם", ["שלום"]), ("كِتَاب كـتاب", ["كتاب"]), ("हिन्दी भाषा", ["भाषा", "हिन्दी"]),
            ("東京へ行く", ["く", "へ", "京", "東", "行"]), ("がぎ", ["が", "ぎ"]),
            ("か\u{3099}は\u{309A}ウ\u{3099}", ["が", "ぱ", "ヴ"]), ("한국 x", ["x", "국", "한"]),
            ("\u{1112}\u{1161}\u{11AB}", ["한"]), ("漢字and漢字", ["and", "字", "漢"]),
            ("🍞🥖 bread", ["bread", "🍞", "🥖"]),
            ("co\u{AD}op zero\u{200B}width", ["coop", "zerowidth"]),
            ("\u{301}a", ["a"]), ("ab\u{0}cd", ["ab", "cd"]),
        ] as [(String, [String])]
    )
    func aTextHasTheseWords(_ text: String, _ words: [String]) {
        #expect(Words.words(of: text).map { Array($0.utf8) } == words.map { Array($0.utf8) })
    }

    @Test func aTextAndItsTakenApartFormHaveTheSameWords() {
        let ranges: [ClosedRange<UInt32>] = [
            0xA0...0x58F, 0x1E00...0x1FFF, 0x3041...0x30FF, 0xAC00...0xB000, 0xD700...0xD7A3,
        ]
        var differing: [String] = []
        for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
            let text = "\(scalar)"
            let apart = text.decomposedStringWithCanonicalMapping
            if Words.words(of: text) != Words.words(of: apart) { differing.append(text) }
        }
        #expect(differing == [])
    }

    @Test func lettersOfBothCasesAreTheSame() {
        var differing: [String] = []
        for scalar in (0x41...0x24F as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        where scalar.properties.isAlphabetic {
            let text = "\(scalar)"
            let words = Words.words(of: text)
            if Words.words(of: text.uppercased()) != words { differing.append(text) }
            if Words.words(of: text.lowercased()) != words { differing.append(text) }
        }
        #expect(differing == [])
    }

    @Test func aLongWordIsCutBetweenItsLetters() {
        let letters = String(repeating: "щ", count: 40)
        let word = Words.words(of: "a" + letters + " ")
        #expect(word == ["a" + String(repeating: "щ", count: 31)])
        #expect(Words.words(of: String(repeating: "x", count: 100_000)).map(\.utf8.count) == [64])
    }

    @Test(arguments: [
        "Crème brûlée", "Straßenbahn", "Ærøskøbing", "Þingvellir", "Ὀδυσσεύς", "Ёжик", "हिन्दी",
        "cafe\u{301}s", "東京都", "naïve İstanbul", "ﬃx",
    ])
    func everyBeginningThatIsTypedFindsTheText(_ text: String) {
        let record: JSONObject = ["body": .string("before \(text) after")]
        var typed = ""
        for scalar in text.unicodeScalars {
            typed.unicodeScalars.append(scalar)
            #expect(Filter.search(typed, in: "body").matches(record), "\(typed)")
        }
    }
}
