extension Schema {
    /// The form of its records: the version that the newest step of representation leads to; 1
    /// where there is none.
    ///
    /// Versions with one form say everything in the same way: what one of them wrote is read by
    /// the others as it is.
    package var form: Int { max(1, forms.last ?? 1) }

    /// The forms that its steps lead to, ascending.
    package var forms: [Int] { steps.compactMap(\.form) }

    /// The steps that bring a record of another form to this schema's.
    ///
    /// A step that is an edit is none of them: what it does is sent once, by whoever ran it.
    func steps(fromForm form: Int) -> [MigrationStep] {
        steps.filter { $0.form.map { $0 > form } ?? false }
    }
}

extension MigrationStep {
    /// The form that it leads to; `nil` where it is an edit.
    var form: Int? { isRepresentationOnly ? version + 1 : nil }
}
