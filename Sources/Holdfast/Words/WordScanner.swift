/// Finds the words of a text, one after the other.
///
/// A word is a run of letters, digits and the marks on them. An ideograph, a kana, a hangul
/// syllable and an emoji is a word each: those scripts put no spaces between words. An apostrophe
/// between letters stays inside a word and is left out of it.
struct WordScanner {
    private enum Kind {
        case letter
        /// A word by itself.
        case single
        case apostrophe
        case dropped
        case separator
    }

    private var reader: ScalarReader
    private var word = FoldedWord()
    /// The parts of the word between apostrophes, where it has any.
    private(set) var parts: [[UInt8]] = []
    private var part = FoldedWord()
    private var hasApostrophe = false
    /// Whether the text ends with the word, so that it may be typed on.
    private(set) var isAtEnd = false

    init(_ text: ByteView) { reader = ScalarReader(text) }

    /// The word found last.
    var bytes: [UInt8] { word.bytes }

    /// Goes on to the next word, and says whether there is one.
    mutating func next() -> Bool {
        word.removeAll()
        part.removeAll()
        parts.removeAll(keepingCapacity: true)
        hasApostrophe = false
        while true {
            if let letter = reader.nextPlainLetter() {
                word.append(letter)
                if hasApostrophe { part.append(letter) }
                continue
            }
            guard let scalar = reader.peek() else { break }
            switch Self.kind(of: scalar, in: word) {
            case .letter:
                _ = reader.next()
                append(scalar)
            case .single:
                if !word.bytes.isEmpty { return finish() }
                _ = reader.next()
                word.append(String(compose(scalar)))
                skipDropped()
                isAtEnd = reader.peek() == nil
                return true
            case .dropped: _ = reader.next()
            case .apostrophe where !word.bytes.isEmpty && isBeforeLetter:
                _ = reader.next()
                endPart()
                hasApostrophe = true
            case .apostrophe, .separator:
                if !word.bytes.isEmpty { return finish() }
                _ = reader.next()
            }
        }
        isAtEnd = true
        return !word.bytes.isEmpty && finish(atEnd: true)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        LetterFolding.append(scalar, to: &word)
        if hasApostrophe { LetterFolding.append(scalar, to: &part) }
    }

    private mutating func finish(atEnd: Bool = false) -> Bool {
        if hasApostrophe { endPart() }
        isAtEnd = atEnd
        return true
    }

    private mutating func endPart() {
        let bytes = hasApostrophe ? part.bytes : word.bytes
        if !bytes.isEmpty { parts.append(bytes) }
        part.removeAll()
    }

    private mutating func skipDropped() {
        while let scalar = reader.peek(), LetterFolding.isDropped(scalar) { _ = reader.next() }
    }

    /// Whether a letter follows the apostrophe that is next.
    private var isBeforeLetter: Bool {
        var ahead = reader
        _ = ahead.next()
        guard let scalar = ahead.peek() else { return false }
        return Self.kind(of: scalar, in: word) == .letter
    }

    private static func kind(of scalar: Unicode.Scalar, in word: FoldedWord) -> Kind {
        if scalar.isASCII {
            switch UInt8(truncatingIfNeeded: scalar.value) {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return .letter
            case 0x27: return .apostrophe
            default: return .separator
            }
        }
        if LetterFolding.isDropped(scalar) { return .dropped }
        if isSingle(scalar) { return .single }
        switch scalar.value {
        case 0x2019, 0x2BC, 0xFF07: return .apostrophe
        default: break
        }
        let properties = scalar.properties
        if properties.isAlphabetic || properties.numericType != nil { return .letter }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark:
            return word.bytes.isEmpty ? .separator : .letter
        default: return properties.isEmojiPresentation ? .single : .separator
        }
    }

    private static func isSingle(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x1100: false
        // Jamo, kana, bopomofo, hangul syllables, kana of half width.
        case 0x1100...0x11FF, 0x3041...0x3096, 0x3099...0x312F, 0x31A0...0x31FF, 0xA960...0xA97C,
            0xAC00...0xD7FB, 0xFF66...0xFF9F, 0x1_B000...0x1_B16F:
            true
        default: scalar.properties.isIdeographic
        }
    }
}

extension WordScanner {
    /// The scalar that this one and what follows it are one writing of.
    ///
    /// File names of some systems have their syllables taken apart.
    private mutating func compose(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard let next = reader.peek()?.value else { return scalar }
        let composed = Self.composed(scalar.value, next).flatMap(Unicode.Scalar.init)
        guard let composed else { return scalar }
        _ = reader.next()
        return compose(composed)
    }

    private static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
        switch (first, second) {
        // The arithmetic of hangul: chapter 3.12 of the Unicode standard.
        case (0x1100...0x1112, 0x1161...0x1175):
            return 0xAC00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28
        case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (first - 0xAC00) % 28 == 0:
            return first + second - 0x11A7
        case (0x3041...0x30FF, 0x3099...0x309A):
            return composedKana(first, isSemi: second == 0x309A)
        default: return nil
        }
    }

    private static func composedKana(_ kana: UInt32, isSemi: Bool) -> UInt32? {
        let isKatakana = kana >= 0x30A1
        let hiragana = isKatakana ? kana - 0x60 : kana
        switch hiragana {
        case 0x306F, 0x3072, 0x3075, 0x3078, 0x307B: return kana + (isSemi ? 2 : 1)
        case _ where isSemi: return nil
        case 0x304B...0x3061: return hiragana % 2 == 1 ? kana + 1 : nil
        case 0x3064, 0x3066, 0x3068, 0x309D: return kana + 1
        case 0x3046: return kana + 0x4E
        case 0x308F...0x3092: return isKatakana ? kana + 8 : nil
        default: return nil
        }
    }
}
