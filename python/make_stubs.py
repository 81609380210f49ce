"""Writes python/stiction/_core/*.pyi from the built extension, or checks that they are as it is.

    make_stubs.py [--check]     with the package on PYTHONPATH

pybind11 puts the signature of every function into its documentation; this turns them into stubs for type checkers.
"""

import inspect
import pathlib
import re
import sys

sys.path.pop(0)  # the folder of this script has the sources, without the extension
from stiction import _core  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "stiction" / "_core"
ARRAY = "np.ndarray"


def plain(text):
    """pybind11's types as Python writes them."""
    text = re.sub(r"numpy\.ndarray(\[[^\]]*\])?", ARRAY, text)
    text = re.sub(r"stiction\._core\.(\w+)\.(\w+)", lambda m: m.group(2) if m.group(1) == plain.module else
                  f"{m.group(1)}.{m.group(2)}", text)
    text = re.sub(r"(?:\w+::|\(anonymous namespace\)::)+(\w+)", r"\1", text)  # a class that is bound later
    text = re.sub(r"= <[^>]*>", "= ...", text)
    text = re.sub(r"\b(\w+(?:\.\w+)?) = array\(.*?\)", r"\1 = ...", text)
    text = re.sub(r"\b(object|handle)\b", "Any", text)
    text = re.sub(r"= -?inf\b", "= ...", text)
    text = re.sub(r": (Callable\[\[[^\]]*\], \w+\]) = None", r": Optional[\1] = None", text)
    text = re.sub(r"\b(List|Dict|Tuple)\b", lambda m: m.group(1).lower(), text)
    text = text.replace("**kwargs", "**kwargs: Any").replace("*args", "*args: Any")
    return text


def signatures(name, doc):
    """(signature, documentation) of each overload."""
    lines = (doc or "").splitlines()
    found = []
    for number, line in enumerate(lines):
        match = re.match(rf"(?:\d+\. )?{re.escape(name)}(\(.*\)) -> (.*)$", line)
        if match and "*args, **kwargs" not in line.replace("**kwargs) ->", ""):
            text = []
            for following in lines[number + 1:]:
                if re.match(rf"(?:\d+\. )?{re.escape(name)}\(", following):
                    break
                text.append(following)
            found.append((match.group(1), match.group(2), "\n".join(text).strip()))
    return found


def function(name, doc, indent, method):
    overloads = signatures(name, doc)
    if not overloads and name == "__init__":
        return []  # only the library makes one
    if not overloads:
        return [f"{indent}def {name}({'self, ' if method else ''}*args: Any, **kwargs: Any) -> Any: ..."]
    lines = []
    for parameters, result, text in overloads:
        if len(overloads) > 1:
            lines.append(f"{indent}@overload")
        parameters = plain(parameters)
        if method:
            parameters = re.sub(r"^\(self: [^,)]*", "(self", parameters)
        static = method and not parameters.startswith("(self")
        if static:
            lines.append(f"{indent}@staticmethod")
        lines.append(f"{indent}def {name}{parameters} -> {plain(result)}:")
        lines += [f'{indent}    """{text}"""' if text else f"{indent}    ..."]
    return lines


def class_stub(kind):
    base = [b.__name__ for b in kind.__bases__ if b.__module__.startswith("stiction") or b is dict]
    doc = inspect.getdoc(kind) or ""
    lines = [f"class {kind.__name__}{'(' + base[0] + ')' if base else ''}:",
             '    """' + doc.replace("\\", "\\\\").replace('"""', "'''").replace("\n", "\n    ") + '"""']
    for name, member in sorted(vars(kind).items()):
        if isinstance(member, property):
            match = re.search(r"-> ([^\n]*)", (member.fget.__doc__ or "") if member.fget else "")
            text = (inspect.getdoc(member) or "").strip()
            lines += ["    @property", f"    def {name}(self) -> {plain(match.group(1)) if match else 'Any'}:",
                      f'        """{text}"""' if text else "        ..."]
            if member.fset is not None:
                lines += [f"    @{name}.setter", f"    def {name}(self, value: Any) -> None: ..."]
        elif name == "__init__" and "kwargs" in (member.__doc__ or "") and hasattr(kind, "fields"):
            # A model: its parameters are known by name
            names = [f"{f['name']}: ArrayLike" + ("" if f["default"] is None else " = ...") for f in kind.fields]
            lines.append(f"    def __init__(self, *, {', '.join(sorted(names, key=lambda n: '=' in n))}) -> None: ...")
            lines += [f"    {f['name']}: Any" for f in kind.fields]
        elif callable(member) or isinstance(member, staticmethod):
            if name.startswith("__") and name not in ("__init__", "__len__", "__getitem__", "__setitem__", "__add__",
                                                      "__sub__", "__and__", "__call__", "__iter__", "__getattr__"):
                continue
            lines += function(name, (member.__func__ if isinstance(member, staticmethod) else member).__doc__, "    ", True)
        elif isinstance(member, (str, tuple, int) if base == ["dict"] else (str, tuple)) and not name.startswith("__"):
            lines.append(f"    {name}: {type(member).__name__}")
    return lines


def module_stub(module):
    plain.module = module.__name__.rsplit(".", 1)[1]
    others = sorted({name for name in ("planar", "scalar") if name != plain.module})
    lines = ["# Written by python/make_stubs.py from the extension: do not edit.", f'"""{module.__doc__}"""', "",
             "from collections.abc import Callable, Iterator", "from typing import Any, Optional, overload", "",
             "import numpy as np", "from numpy.typing import ArrayLike", "", f"from . import {', '.join(others)}", ""]
    members = vars(module)
    kinds = [m for m in members.values() if inspect.isclass(m)]
    for kind in sorted(kinds, key=lambda k: (len(k.__mro__), k.__name__)):
        lines += class_stub(kind) + [""]
    for name in sorted(n for n, m in members.items() if inspect.isbuiltin(m)):
        lines += function(name, members[name].__doc__, "", False) + [""]
    return "\n".join(lines).rstrip() + "\n"


def all_stubs():
    modules = {name: m for name, m in vars(_core).items() if inspect.ismodule(m)}
    stubs = {"__init__.pyi": "# Written by python/make_stubs.py from the extension: do not edit.\n"
             + "".join(f"from . import {name} as {name}\n" for name in sorted(modules)) + "\n__version__: str\n"}
    for name, module in modules.items():
        stubs[f"{name}.pyi"] = module_stub(module)
    return stubs


def main():
    wrong = []
    FOLDER.mkdir(exist_ok=True)
    for name, text in all_stubs().items():
        path = FOLDER / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                wrong.append(name)
        else:
            path.write_text(text, encoding="utf-8")
    if wrong:
        sys.exit(f"stubs are not as the extension is: {', '.join(wrong)}; run `make stubs`")


if __name__ == "__main__":
    main()
