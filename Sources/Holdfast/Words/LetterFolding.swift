/// Letters as search compares them: lower case, without accents.
enum LetterFolding {
    /// Letters with marks, as one scalar each, under the letter that is left without them.
    private static let marked: [Unicode.Scalar: String] = [
        "a": "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặẚ", "b": "ḃḅḇƀ", "c": "çćĉċčḉ", "d": "ďḋḍḏḑḓđð",
        "e": "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ", "f": "ḟƒ", "g": "ĝğġģǧǵḡǥ", "h": "ĥȟḣḥḧḩḫẖħ",
        "i": "ìíîïĩīĭįǐȉȋḭḯỉịı", "j": "ĵǰȷ", "k": "ķǩḱḳḵĸ", "l": "ĺļľḷḹḻḽłŀ", "m": "ḿṁṃ",
        "n": "ñńņňǹṅṇṉṋŋŉ", "o": "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøǿ", "p": "ṕṗ",
        "r": "ŕŗřȑȓṙṛṝṟ", "s": "śŝşšșṡṣṥṧṩſẛ", "t": "ţťțṫṭṯṱẗŧ",
        "u": "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", "v": "ṽṿ", "w": "ŵẁẃẅẇẉẘ", "x": "ẋẍ",
        "y": "ýÿŷȳẏẙỳỵỷỹ", "z": "źżžẑẓẕƶ", "ʒ": "ǯ",
        "ʹ": "\u{374}",
        "α": "άἀἁἂἃἄἅἆἇὰᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ\u{1F71}",
        "ε": "έἐἑἒἓἔἕὲ\u{1F73}",
        "η": "ήἠἡἢἣἤἥἦἧὴᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ\u{1F75}",
        "ι": "ΐίϊἰἱἲἳἴἵἶἷὶῐῑῒῖῗ\u{1F77}\u{1FBE}\u{1FD3}",
        "μ": "µ",
        "ο": "όὀὁὂὃὄὅὸ\u{1F79}",
        "ρ": "ῤῥ",
        "σ": "ς",
        "υ": "ΰϋύὐὑὒὓὔὕὖὗὺῠῡῢῦῧ\u{1F7B}\u{1FE3}",
        "ω": "ώὠὡὢὣὤὥὦὧὼᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ\u{1F7D}",
        "ϒ": "ϓϔ",
        "а": "ӑӓ", "г": "ѓ", "е": "ѐёӗ", "ж": "ӂӝ", "з": "ӟ", "и": "йѝӣӥ", "к": "ќ", "о": "ӧ",
        "у": "ўӯӱӳ", "ч": "ӵ", "ы": "ӹ", "э": "ӭ", "і": "ї", "ѵ": "ѷ", "ә": "ӛ", "ө": "ӫ",
    ]

    /// Letters that stand for several.
    private static let joined: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "ǣ": "ae", "ǽ": "ae", "œ": "oe", "ĳ": "ij", "þ": "th", "ǆ": "dz",
        "ǳ": "dz", "ǉ": "lj", "ǌ": "nj", "\u{FB00}": "ff", "\u{FB01}": "fi", "\u{FB02}": "fl",
        "\u{FB03}": "ffi", "\u{FB04}": "ffl", "\u{FB05}": "st", "\u{FB06}": "st",
    ]

    private static let plain: [Unicode.Scalar: String] = {
        var plain = joined
        for (letter, others) in marked {
            for other in others.unicodeScalars { plain[other] = String(letter) }
        }
        return plain
    }()

    /// Whether a scalar is a mark that search leaves out: an accent, a vowel point, a joiner.
    static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x591...0x5C7, 0x640, 0x64B...0x65F, 0x670: scalar.value != 0x5BE
        case 0xAD, 0x200B...0x200D, 0x2060, 0xFE00...0xFE0F, 0xFEFF: true
        default: false
        }
    }

    /// Appends a letter or digit as search compares it.
    static func append(_ scalar: Unicode.Scalar, to word: inout FoldedWord) {
        if scalar.isASCII {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            word.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
            return
        }
        // The width forms of East Asian typing.
        if case 0xFF01...0xFF5E = scalar.value, let narrow = Unicode.Scalar(scalar.value - 0xFEE0) {
            return append(narrow, to: &word)
        }
        for lower in scalar.properties.lowercaseMapping.unicodeScalars where !isDropped(lower) {
            word.append(plain[lower] ?? String(lower))
        }
    }
}

/// A word as it is put together, cut where it is too long.
struct FoldedWord {
    /// The longest word, in bytes of UTF-8; longer ones are the same when they begin alike.
    static let maximumBytes = 64

    private(set) var bytes: [UInt8] = []
    private var isFull = false

    mutating func append(_ byte: UInt8) {
        isFull = isFull || bytes.count == Self.maximumBytes
        if !isFull { bytes.append(byte) }
    }

    /// Appends a letter whole or, where it does not fit, not at all.
    mutating func append(_ letter: String) {
        isFull = isFull || letter.utf8.count > Self.maximumBytes - bytes.count
        if !isFull { bytes.append(contentsOf: letter.utf8) }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isFull = false
    }
}
