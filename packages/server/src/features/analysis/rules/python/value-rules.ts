import { avoidable, frameRule, neverNeeded } from "#rules/frame-rule.ts";
import { inFiles } from "#rules/match.ts";

const logging = inFiles("logging/", "loguru/", "structlog/");

/** Python: values that are parsed, written, copied and matched. */
export const pythonValueRules = [
  frameRule({
    id: "python-json",
    name: "JSON of the standard library",
    looksAt: "CPU in json, simplejson and similar packages below application code.",
    frames: inFiles(
      "json/encoder.py",
      "json/decoder.py",
      "json/scanner.py",
      "json/__init__.py",
      "simplejson/",
    ),
    except: logging,
    saves: 0.6,
    does: "on JSON",
    remedy: "use a faster encoder, or encode less",
    impact:
      "The standard library's encoder is much slower with indent, default= or a custom class: then it runs in Python instead of C.",
    solution:
      "replace json with orjson or msgspec, drop indent and sort_keys, decode each text only once, and keep the encoded bytes of answers that rarely change.",
    example: `import orjson


def render(rows: list[dict]) -> bytes:
    # Encodes dates, dataclasses and numbers in one pass, without default=.
    return orjson.dumps(rows)
`,
  }),
  frameRule({
    id: "python-models",
    name: "Objects made and written by serializers",
    looksAt: "CPU in pydantic, marshmallow, attrs and Django REST serializers below application code.",
    frames: inFiles(
      "pydantic/",
      "marshmallow/",
      "rest_framework/serializers.py",
      "rest_framework/fields.py",
      "cattrs/",
    ),
    saves: 0.4,
    does: "in serializers",
    remedy: "validate once, at the edge",
    impact:
      "Each field of each object is checked and converted, also where the data come from the program itself.",
    solution:
      "validate input once and pass the objects on, build trusted objects without validation (model_construct), serialize lists with one TypeAdapter, and select only the fields that the answer has.",
    example: `from pydantic import BaseModel, TypeAdapter


class Item(BaseModel):
    id: int
    name: str


items = TypeAdapter(list[Item])


def render(rows: list[Item]) -> bytes:
    return items.dump_json(rows)
`,
  }),
  frameRule({
    id: "python-yaml",
    name: "YAML parsed in Python",
    looksAt: "CPU in PyYAML's own parser and emitter, and in ruamel.yaml.",
    frames: inFiles("yaml/", "ruamel/yaml/"),
    from: avoidable,
    saves: 0.8,
    does: "on YAML",
    remedy: "parse it once, with the C loader",
    impact: "PyYAML's parser in Python takes about ten times as long as the one in C.",
    solution:
      "load files once and keep the result; use yaml.CSafeLoader and yaml.CSafeDumper; send JSON between services.",
    example: `import functools

import yaml


@functools.cache
def config(path: str) -> dict:
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader=yaml.CSafeLoader)
`,
  }),
  frameRule({
    id: "python-regex-compile",
    name: "Regular expressions compiled while serving",
    looksAt: "CPU in the compiler of regular expressions below application code.",
    frames: inFiles(
      "re/_compiler.py",
      "re/_parser.py",
      "sre_compile.py",
      "sre_parse.py",
      "regex/_regex_core.py",
    ),
    from: neverNeeded,
    confidence: 0.95,
    saves: 0.95,
    does: "compiling regular expressions",
    remedy: "compile them once",
    impact: "re keeps the last 512 patterns only: patterns made from data are compiled at each call.",
    solution:
      "compile constant patterns at the top of the module; match variable parts with a group, str methods or a dictionary instead of a new pattern.",
    example: `import re

ARTICLE = re.compile(r"item (\\d+)")


def number_of(text: str, wanted: int) -> bool:
    found = ARTICLE.search(text)
    return found is not None and int(found[1]) == wanted
`,
  }),
  frameRule({
    id: "python-regex-match",
    name: "Hot regular expressions",
    looksAt: "CPU in the functions of re that match, search, replace and split.",
    frames: inFiles(
      "re/__init__.py",
      "re.py#match fullmatch search sub subn split findall finditer _compile",
    ),
    yieldsTo: ["python-regex-compile"],
    saves: 0.5,
    does: "matching regular expressions",
    remedy: "simplify or avoid them",
    impact:
      "The functions of re also look the pattern up at each call; nested repetitions try every way to split the text.",
    solution:
      "call the methods of a compiled pattern, check with `in` or str.startswith first, and remove nested repetitions such as (a+)+ and leading .* from the pattern.",
    example: `import re

MAIL = re.compile(r"[\\w.]+@[\\w.]+\\.com")


def mails(lines: list[str]) -> list[str]:
    # A line without an @ needs no pattern.
    return [found[0] for line in lines if "@" in line and (found := MAIL.search(line))]
`,
  }),
  frameRule({
    id: "python-deep-copy",
    name: "Deep copies",
    looksAt: "CPU in copy.deepcopy and in dataclasses.asdict below application code.",
    frames: inFiles("copy.py", "dataclasses.py#asdict astuple _asdict_inner _astuple_inner"),
    from: avoidable,
    confidence: 0.9,
    saves: 0.9,
    does: "on deep copies",
    remedy: "copy only what changes",
    impact: "A deep copy visits every value below the object, in Python, and remembers each in a dictionary.",
    solution:
      "share what nobody changes (tuples, frozen dataclasses), copy one level with dict(value) or dataclasses.replace, and read the fields instead of calling asdict.",
    example: `from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Order:
    id: int
    state: str
    lines: tuple[str, ...]


def paid(order: Order) -> Order:
    # The lines are shared: nobody can change them.
    return replace(order, state="paid")
`,
  }),
  frameRule({
    id: "python-dates",
    name: "Dates parsed by a format",
    looksAt: "CPU in strptime, dateutil and similar parsers below application code.",
    frames: inFiles("_strptime.py", "dateutil/parser/", "dateparser/", "arrow/parser.py"),
    from: avoidable,
    confidence: 0.9,
    saves: 0.85,
    does: "parsing dates",
    remedy: "use datetime.fromisoformat",
    impact:
      "strptime runs a regular expression and locale look-ups for each date; dateutil guesses the format each time.",
    solution:
      "parse ISO 8601 with datetime.fromisoformat, which is written in C, or keep the dates that come again.",
    example: `from datetime import datetime


def parse(text: str) -> datetime:
    return datetime.fromisoformat(text)
`,
  }),
] as const;
