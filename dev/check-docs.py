"""Names the public declarations without a comment, and those that no page lists among its topics.

    check-docs.py LIBRARY SYMBOL_GRAPHS ARCHIVE

Exit status: 0 when there are none.
"""

import json
import pathlib
import sys


def undocumented(graphs):
    for path in sorted(graphs.glob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            is_extension = symbol["kind"]["identifier"] == "swift.extension"
            if "docComment" not in symbol and not is_extension:
                yield ".".join(symbol["pathComponents"])


def unlisted(library, archive):
    """What DocC had to add to the library's page by itself."""
    page = archive / "data" / "documentation" / f"{library.lower()}.json"
    for section in json.loads(page.read_text()).get("topicSections", []):
        if section.get("generated"):
            yield from (name.rsplit("/", 1)[-1] for name in section["identifiers"])


def main():
    library, graphs, archive = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    problems = [f"{name} has no comment" for name in undocumented(graphs)]
    problems += [f"{name} stands under no topic of {library}.md" for name in unlisted(library, archive)]
    for problem in problems:
        print(f"{library}: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


main()
