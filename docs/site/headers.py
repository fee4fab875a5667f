"""Pages made from C++ headers: the comment at the top is the text, and each declaration stands with its own comment."""

import re
import textwrap
from pathlib import Path


def public_headers(root):
    """Those that perpend/perpend.h includes, in its order."""
    return re.findall(r'#include "(perpend/\S+\.h)"', (Path(root) / "perpend/perpend.h").read_text())


def page_name(header):
    return "cpp/" + header.removeprefix("perpend/").removesuffix(".h").replace("/", "-") + ".md"


def uncomment(lines):
    """The text of // lines, with the space after the slashes removed."""
    return [re.sub(r"^\s*// ?", "", line) for line in lines]


def markdown(lines):
    """Comment lines as Markdown. Lines that are indented by three or more are blocks of code or tables of words."""
    out, block = [], []

    def close():
        while block and not block[-1]:
            block.pop()
        if block:
            statements = sum(line.endswith((";", "{", "}")) for line in block)
            language = "cpp" if any("::" in line for line in block) or 2 * statements >= len(block) else "text"
            out.extend(["", f"```{language}", textwrap.dedent("\n".join(block)), "```", ""])
        block.clear()

    for line in lines:
        if line.startswith("  ") and (block or line.startswith("   ") or not out or not out[-1].startswith("-")):
            block.append(line)
        elif not line and block:
            block.append("")
        else:
            close()
            out.append(re.sub(r"<(?=[\w/])", "&lt;", line) if "`" not in line else line)
    close()
    return "\n".join(out).strip("\n")


def split(text):
    """(comment at the top, the rest behind `#pragma once` and the includes)."""
    top, _, rest = text.partition("#pragma once")
    return uncomment(top.strip("\n").split("\n")), rest


def lesson(text):
    return markdown(split(text)[0])


def declarations(rest):
    """(comment lines, code lines) of each declaration at the top of the namespace; blank lines part them."""
    found, comment, code, depth = [], [], [], 0
    for line in [*rest.split("\n"), ""]:
        bare = line.strip()
        if not code and (not bare or re.match(r"#include|(inline )?namespace \w|}  // namespace|#", bare)):
            if comment and not bare:
                found.append((comment, []))
            if comment and not bare:
                comment = []
            continue
        if not code and bare.startswith("//"):
            comment.append(bare)
            continue
        if bare or depth:
            code.append(line)
            plain = re.sub(r"//.*", "", line)
            depth += plain.count("{") - plain.count("}")
        if code and depth == 0 and (not bare or bare.endswith((";", "}"))):
            found.append((comment, code))
            comment, code = [], []
    return found


def name_of(code):
    joined = " ".join(line.strip() for line in code)
    joined = re.sub(r"//.*?(?=$)", "", joined)
    kind = re.search(r"\b(?:enum class|enum|struct|class)\s+(\w+)", joined)
    if kind:
        return kind[1]
    function = re.search(r"\b([a-z_]\w*|operator\S+)\s*\(", joined)
    constant = re.search(r"\bconstexpr\s+[\w:<>]+\s+(\w+)", joined)
    return constant[1] if constant else function[1] if function else joined.split("=")[0].split()[-1].rstrip(";")


def page(text, name):
    """The page of a header."""
    top, rest = split(text)
    short = name.removeprefix("perpend/")
    parts = [f"# {short}", "", f"`#include <{name}>`", "", markdown(top), ""]
    if not declarations(rest):
        parts += ["## It includes", "", *(f"- `{included}`" for included in re.findall(r'#include "(\S+)"', rest)), ""]
    last = None
    for comment, code in declarations(rest):
        if code and name_of(code) != last:
            last = name_of(code)
            parts += [f"## `{last}`", ""]
        if comment:
            parts += [markdown(uncomment(comment)), ""]
        if code:
            parts += ["```cpp", *code, "```", ""]
    return "\n".join(parts)


def linked(text, names):
    """The page with each header that its sentences name as a link, where that header has a page too."""
    places = {name.removeprefix("perpend/"): page_name(name).removeprefix("cpp/") for name in names}

    def link(match):
        return f"[{match[0]}]({places[match[0]]})" if match[0] in places else match[0]

    parts = re.split(r"(^```.*?^```$|^#[^\n]*$|`[^`]*`)", text, flags=re.S | re.M)
    return "".join(part if i % 2 else re.sub(r"\b\w+/\w+\.h\b", link, part) for i, part in enumerate(parts))


def index(root, names):
    """perpend.h, and the list of the headers with the first sentence of each."""
    text = (Path(root) / "perpend/perpend.h").read_text()
    top = linked(markdown(split(text)[0]), names)
    parts = ["# C++ headers", "", "`#include <perpend/perpend.h>` includes the public headers.", "", top, ""]
    parts += ["## The headers", "", "| header | what it is for |", "|---|---|"]
    for name in names:
        first = " ".join(split((Path(root) / name).read_text())[0]).split(". ")[0].rstrip(".").replace("|", "\\|")
        parts.append(f"| [{name.removeprefix('perpend/')}]({page_name(name).removeprefix('cpp/')}) | {first.split(':  ')[0]} |")
    return "\n".join(parts) + "\n"
