"""Pages made from C++ headers: the comment at the top is the text, and each declaration stands with its own comment.

Below each declaration a line links the types that it uses. A type that no header defines ends the build.
"""

import re
import textwrap
from pathlib import Path

# A type of perpend's own in code: a name of capitals and small letters, which no other scope than perpend qualifies.
TYPE = re.compile(r"(?:(?<=\bperpend::)|(?<![\w:]))[A-Z]\w*[a-z]\w*\b")
DEFINITION = re.compile(
    r"(?:template <.*> )?(?:(?:enum class|enum|struct|class|union) (?:alignas\([^)]*\) )?(\w+)(?=[^;(]*$|[^;(]*\{)|using (\w+) =)"
)


def public_headers(root):
    """Those that perpend/perpend.h includes, in its order."""
    return re.findall(r'#include "(perpend/\S+\.h)"', (Path(root) / "perpend/perpend.h").read_text())


def page_name(header):
    return "cpp/" + header.removeprefix("perpend/").removesuffix(".h").replace("/", "-") + ".md"


def uncomment(lines):
    """The text of // lines, with the space after the slashes removed."""
    return [re.sub(r"^\s*// ?", "", line) for line in lines]


def escaped(line):
    """A line of a comment, in which Markdown finds no emphasis and no HTML."""
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(p if i % 2 else re.sub(r"<(?=[\w/])", "&lt;", p.replace("*", r"\*")) for i, p in enumerate(parts))


def is_table_line(line):
    """Whether a line has columns: a word or a few, two spaces or more, and text."""
    return re.match(r"\S+(?: \S+)* {2,}\S", line) is not None


def markdown(lines):
    """Comment lines as Markdown. Lines that are indented, and lines in columns, are blocks; lists stay lists."""
    out, block = [], []

    def close():
        while block and not block[-1]:
            block.pop()
        if block:
            statements = sum(line.endswith((";", "{", "}")) for line in block)
            language = "cpp" if any("::" in line for line in block) or 2 * statements >= len(block) else "text"
            out.extend(["", f"```{language}", textwrap.dedent("\n".join(block)), "```", ""])
        block.clear()

    in_list = False
    for i, line in enumerate(lines):
        item = re.match(r" *- (.*)", line)
        if (item and not block) or (in_list and line.startswith("  ")):
            if out and out[-1] and not in_list:
                out.append("")
            out.append(("- " if item else "  ") + escaped(item[1] if item else line.strip()))
            in_list = True
            continue
        if in_list and line:
            out.append("")
        in_list = False
        after = lines[i + 1] if i + 1 < len(lines) else ""
        before = lines[i - 1] if i > 0 else ""
        in_columns = is_table_line(line) and (is_table_line(after) or is_table_line(before) or after.startswith("     "))
        if in_columns or line.startswith("  "):
            block.append(line)
        elif not line and block:
            block.append("")
        else:
            close()
            out.append(line if line.startswith("|") else escaped(line))
    close()
    return "\n".join(out).strip("\n")


def split(text):
    """(comment at the top, the rest behind `#pragma once` and the includes)."""
    top, _, rest = text.partition("#pragma once")
    return uncomment(top.strip("\n").split("\n")), rest


def lesson(text):
    return markdown(split(text)[0])


def plain(line):
    """A line of code without strings and comments."""
    return re.sub(r"//.*|/\*.*?\*/", "", re.sub(r'"(?:[^"\\]|\\.)*"', '""', line))


def without_private(code):
    """The lines of a class that are not private."""
    shown, depth, hidden = [], 0, False
    for line in code:
        bare = plain(line)
        if depth == 1 and re.match(r"\s*(private|public|protected):", bare):
            hidden = "private:" in bare
            while hidden and shown and not shown[-1].strip():
                shown.pop()
        depth += bare.count("{") - bare.count("}")
        if depth <= 0:
            hidden = False
        if not hidden:
            shown.append(line)
    return shown


def declarations(rest):
    """(comment lines, code lines) of each section of the page: what stands at the top of the namespace.

    Constants and forward declarations belong to the declaration that follows on the next line.
    """
    sections, comment, code, minor, depth, macro = [], [], [], [], 0, False

    def flush():
        nonlocal comment, minor
        if comment or (minor and constant_of(joined(minor)) is not None):  # forward declarations alone tell nothing
            sections.append((comment, minor))
        comment, minor = [], []

    for line in [*rest.split("\n"), ""]:
        bare = line.strip()
        if macro or (not code and bare.startswith("#define")):
            code.append(line)
            macro = bare.endswith("\\")
            if not macro:
                sections.append((comment, code))
                comment, code = [], []
            continue
        if not code and (not bare or re.match(r"#|(inline )?namespace (perpend\b.*)?\{|}  // namespace( perpend.*)?$", bare)):
            flush()
            continue
        if not code and bare.startswith("//"):
            if minor:
                flush()
            comment.append(bare)
            continue
        if bare or depth:
            code.append(line)
            depth += plain(line).count("{") - plain(line).count("}")
        if code and depth == 0 and (not bare or plain(line).rstrip().endswith((";", "}"))):
            if is_minor(code):
                minor += code
            else:
                sections.append((comment, minor + without_private(code)))
                comment, minor = [], []
            code = []
    return sections


def joined(code):
    """A declaration on one line, without comments, strings, attributes and the parameters of its template."""
    text = " ".join(plain(line).strip() for line in code)
    text = re.sub(r"\[\[[^\]]*\]\]\s*", "", text).strip()
    while text.startswith("template"):
        depth = 0
        for i, c in enumerate(text):
            depth += (c == "<") - (c == ">")
            if c == ">" and depth == 0:
                break
        text = text[i + 1 :].strip()
    return text


def is_minor(code):
    text = joined(code)
    return re.match(r"(struct|class|enum)[^({]*;$", text) is not None or constant_of(text) is not None


def constant_of(text):
    """The name of a constant, or None."""
    if not re.match(r"(inline |static )*const(expr)?\b", text):
        return None
    head = re.split(r"[({=;]", text, maxsplit=1)[0]
    if "(" in text and text.index("(") == len(head):
        return None  # a function
    return re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", head)[1]


def names_of(code):
    """What the declarations of a section are called: that of the last, or of all where all are constants."""
    parts, part, depth = [], [], 0
    for line in code:
        if not part and not plain(line).strip():
            continue
        part.append(line)
        depth += plain(line).count("{") - plain(line).count("}")
        if depth == 0 and plain(line).rstrip().endswith((";", "}")):
            parts.append(part)
            part = []
    parts += [part] if part else []
    return [name_of(p) for p in parts] if all(is_minor(p) for p in parts) else [name_of(parts[-1])]


def name_of(code):
    if code[0].startswith("#define"):
        return re.match(r"#define (\w+)", code[0])[1]
    text = joined(code)
    kind = re.match(r"(?:enum class|enum|struct|class|union|namespace|using|concept)\s+(?:alignas\([^)]*\)\s*)?(\w+)", text)
    if kind:
        return kind[1]
    if constant := constant_of(text):
        return constant
    operator = re.search(r"\boperator\s*(\(\)|[^\s\w(]+)\s*\(", text)
    if operator:
        return "operator" + operator[1]
    while "<" in text.split("(")[0]:
        shorter = re.sub(r"<[^<>]*>", "", text)
        if shorter == text:
            break
        text = shorter
    function = re.search(r"(\w+)\s*\(", text)
    return function[1] if function else re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*[=;{]", text)[1]


def defined(text):
    """The types that a header defines at the top of its namespace."""
    found = set()
    for _, code in declarations(split(text)[1]):
        for line in code:
            if match := DEFINITION.match(plain(line)):
                found.add(match[1] or match[2])
    return found


def used(code):
    """The types that a declaration mentions, without those that it declares itself."""
    text = " ".join(plain(line) for line in code)
    own = set(re.findall(r"\b(?:enum class|class|typename|struct|enum|using|concept)\s+(\w+)", text))
    return sorted(set(TYPE.findall(text)) - own)


class Types:
    """Which header defines a type that another header uses."""

    def __init__(self, root):
        self.texts = {}
        for path in sorted(Path(root).glob("perpend/**/*.h")):
            if not path.name.endswith("-inl.h"):
                self.texts[path.relative_to(root).as_posix()] = path.read_text()
        self.homes = {}
        for name, text in self.texts.items():
            for found in defined(text):
                self.homes.setdefault(found, []).append(name)
        self.reached = {}

    def reach(self, header):
        """The header and all that it includes."""
        if header not in self.reached:
            self.reached[header] = {header}
            for other in re.findall(r'#include "(perpend/\S+\.h)"', self.texts.get(header, "")):
                self.reached[header] |= self.reach(other)
        return self.reached[header]

    def home(self, name, header):
        """The header that defines the type; None if it is a name of the header's own, such as a nested type."""
        homes = self.homes.get(name, [])
        near = [home for home in homes if home in self.reach(header)]
        if near or len(homes) == 1:
            return header if header in near else (near or homes)[0]
        declared = rf"\b(?:struct|class|enum|enum class|using|typename)\s+{name}\b"
        if re.search(declared, self.texts.get(header, "")):
            return None
        raise SystemExit(f"{header}: no header defines {name}")

    def missing(self, pages):
        """The headers, beside these pages, that define types which the pages use. Each of them is a page, too."""
        pages = [page for page in pages if page in self.texts]
        added, queue = [], list(pages)
        while queue:
            header = queue.pop(0)
            for _, code in declarations(split(self.texts[header])[1]):
                for name in used(code):
                    home = self.home(name, header)
                    if home and home not in pages and home not in added:
                        added.append(home)
                        queue.append(home)
        return sorted(added)


def page(text, name, types=None):
    """The page of a header. Below a declaration stand links to the types that it uses."""
    top, rest = split(text)
    short = name.removeprefix("perpend/")
    parts = [f"# {short}", "", f"`#include <{name}>`", "", markdown(top), ""]
    sections = declarations(rest)
    if not sections:
        parts += ["## It includes", "", *(f"- `{included}`" for included in re.findall(r'#include "(\S+)"', rest)), ""]
    last = None
    types_here = defined(text)
    for comment, code in sections:
        names = names_of(code) if code else None
        if code and names != last:
            last = names
            title = ", ".join(f"`{n}`" for n in names)
            parts += [f"## {title}" + (f" {{ #{names[0]} }}" if names[0] in types_here else ""), ""]
        if comment:
            parts += [markdown(uncomment(comment)), ""]
        if code:
            parts += ["```cpp", *(re.sub(r"\s*// NOLINT.*", "", line) for line in code), "```", ""]
        if code and types and (links := links_of(code, name, types)):
            parts += [f"Types: {', '.join(links)}.", ""]
    return "\n".join(parts)


def links_of(code, header, types):
    links = []
    for name in used(code):
        if home := types.home(name, header):
            place = "" if home == header else page_name(home).removeprefix("cpp/")
            links.append(f"[`{name}`]({place}#{name})")
    return links


def linked(text, names):
    """The page with each header that its sentences name as a link, where that header has a page too."""
    places = {name.removeprefix("perpend/"): page_name(name).removeprefix("cpp/") for name in names}

    def link(match):
        return f"[{match[0]}]({places[match[0]]})" if match[0] in places else match[0]

    parts = re.split(r"(^```.*?^```$|^#[^\n]*$|`[^`]*`|^Types: [^\n]*$)", text, flags=re.S | re.M)
    return "".join(part if i % 2 else re.sub(r"\b\w+/\w+\.h\b", link, part) for i, part in enumerate(parts))


def index(root, names, types):
    """perpend.h, and the lists of the headers with the first sentence of each: those to include, and those of types."""
    text = (Path(root) / "perpend/perpend.h").read_text()
    top = linked(markdown(split(text)[0]), [*names, *types])
    parts = ["# C++ headers", "", "`#include <perpend/perpend.h>` includes the public headers.", "", top, ""]
    parts += ["## The headers", "", *table_of(root, names)]
    parts += ["", "## What they use", "", "These headers define types that the ones above take or return.", ""]
    return "\n".join([*parts, *table_of(root, types)]) + "\n"


def table_of(root, names):
    rows = ["| header | what it is for |", "|---|---|"]
    for name in names:
        first = " ".join(split((Path(root) / name).read_text())[0]).split(". ")[0].rstrip(".").replace("|", "\\|")
        link = f"[{name.removeprefix('perpend/')}]({page_name(name).removeprefix('cpp/')})"
        rows.append(f"| {link} | {escaped(first.split(':  ')[0])} |")
    return rows
