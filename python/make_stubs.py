"""Writes python/stiction/_core/*.pyi from the built extension, or checks that they are as it is.

    make_stubs.py [--check]     with the package on PYTHONPATH

pybind11 puts the signature of every function into its documentation; this turns them into stubs for type checkers, the
same ones for every version of pybind11.
"""

import inspect
import pathlib
import re
import sys

sys.path.pop(0)  # the folder of this script has the sources, without the extension
from stiction import _core  # noqa: E402
from stiction._calls import plain  # noqa: E402
from stiction._signatures import signatures, split  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "stiction" / "_core"
OPERATORS = {"__len__", "__getitem__", "__setitem__", "__add__", "__sub__", "__and__", "__call__", "__iter__", "__getattr__"}
NUMBERS = {"float64": "np.float64", "float32": "np.float32", "bool": "np.bool_", "uint32": "np.uint32", "int32": "np.int32",
           "int64": "np.int64"}


class Module:
    """A part of the extension, as a stub."""

    def __init__(self, module):
        self.module = module
        self.name = module.__name__.rsplit(".", 1)[1]
        self.uses = set()

    def type(self, text, of_argument=False):
        """A type of pybind11's, as stubs have it."""
        text = plain(text)
        text = re.sub(r"NDArray\[([^\]]*)\]",
                      lambda match: f"npt.NDArray[{' | '.join(NUMBERS[kind] for kind in match[1].split(' | '))}]", text)
        text = re.sub(r"\b(list|Sequence)\[(\w+)\[\d+\]\]", r"\1[\2]", text)  # of a fixed length
        if of_argument:
            text = re.sub(r"\blist\[", "Sequence[", text)
            text = re.sub(r"\bMapping\[", "dict[", text)
        text = re.sub(r"\b(object|handle)\b", "Any", text)
        text = re.sub(r"stiction\.results\.(\w+)", r"_results.\1", text)

        def known(match):
            if match[1] == self.name:
                return match[2]
            self.uses.add(match[1])
            return f"_{match[1]}.{match[2]}"

        return re.sub(r"stiction\.(\w+)\.(\w+)", known, text)

    def parameters(self, signature, method):
        shown = []
        for number, p in enumerate(signature.parameters):
            if p.name.startswith("*"):
                shown.append(p.name if p.name == "*" else f"{p.name}: float")
            elif method and number == 0:
                shown.append("self")
            else:
                kind = self.type(p.type, of_argument=True)
                if p.default == "None" and "None" not in split(kind, "|"):
                    kind += " | None"
                shown.append(f"{p.name}: {kind}" + (f" = {self.default(p.default)}" if p.default is not None else ""))
        return ", ".join(shown)

    @staticmethod
    def default(text):
        return text if re.fullmatch(r"None|True|False|-?[\d.]+(e[+-]?\d+)?|'[^']*'", text) else "..."

    def function(self, name, doc, indent="", kind=None, static=False):
        """A function, with its overloads."""
        method = kind is not None and not static
        overloads = signatures(name, doc)
        lines = []
        for signature in overloads:
            lines += [f"{indent}@overload"] if len(overloads) > 1 else []
            lines += [f"{indent}@staticmethod"] if static else []
            parameters = self.parameters(signature, method)
            if kind is not None and "**kwargs: float" in parameters and getattr(kind, "fields", ()):
                parameters = parameters.replace("**kwargs: float", keywords(kind.fields, many=issubclass(kind, _core.scalar.Model)))
            result = "None" if name in ("__init__", "__setitem__") else self.type(signature.result)
            # The array-likes of old NumPy include float itself, whose overload then seems unsafe to type checkers.
            first_of_number = len(overloads) > 1 and re.fullmatch(r"self, \w+: float( = [^,]*)?", parameters)
            lines.append(f"{indent}def {name}({parameters}) -> {result}:"
                         + ("  # type: ignore[overload-overlap, unused-ignore]" if first_of_number else ""))
            lines.append(f'{indent}    """{signature.doc}"""' if signature.doc else f"{indent}    ...")
        return lines

    def property(self, name, member):
        getter = re.search(r"-> ([^\n]*)", (member.fget.__doc__ or ""))
        text = (inspect.getdoc(member) or "").strip()
        lines = ["    @property", f"    def {name}(self) -> {self.type(getter[1])}:",
                 f'        """{text}"""' if text else "        ..."]
        if member.fset is not None:
            given = signatures("", member.fset.__doc__)[0].parameters[1]
            lines += [f"    @{name}.setter", f"    def {name}(self, value: {self.type(given.type, of_argument=True)}) -> None: ..."]
        return lines

    def class_stub(self, kind):
        base = [b.__name__ for b in kind.__bases__ if b.__module__.startswith("stiction")]
        if hasattr(kind, "_tuple"):  # it behaves as one
            base.append(f"tuple[{self.type(kind._tuple)}]")
        doc = (inspect.getdoc(kind) or "").replace("\\", "\\\\").replace('"""', "'''").replace("\n", "\n    ")
        lines = [f"class {kind.__name__}{'(' + ', '.join(base) + ')' if base else ''}:", f'    """{doc}"""']
        if "fields" in vars(kind):
            lines.append("    fields: tuple[_results.Field, ...]")
            lines += [f"    {field['name']}: {attribute(field)}" for field in kind.fields
                      if base == ["Model"] and not hasattr(kind, field["name"])]  # a method of that name comes first
        for name, member in sorted(vars(kind).items()):
            if isinstance(member, property):
                lines += self.property(name, member)
            elif (callable(member) and name != "__array__") or isinstance(member, staticmethod):
                if not name.startswith("_") or name in OPERATORS | {"__init__"}:
                    static = isinstance(member, staticmethod)
                    found = self.function(name, getattr(member, "__func__", member).__doc__, "    ", kind, static)
                    skipped = hasattr(kind, "_tuple") and name in ("__iter__", "__getitem__", "__len__")
                    lines += [] if skipped else found
            elif name == "__array__":
                lines.append("    def __array__(self, dtype: npt.DTypeLike = ..., copy: bool | None = ...) -> npt.NDArray[Any]: ...")
            elif isinstance(member, str) and not name.startswith("_"):
                lines.append(f"    {name}: str")
            elif name == "mode_names":
                lines.append("    mode_names: tuple[str, ...]")
        return lines

    def stub(self):
        members = vars(self.module)
        kinds = [member for member in members.values() if inspect.isclass(member)]
        body = []
        for kind in sorted(kinds, key=lambda kind: (len(kind.__mro__), kind.__name__)):
            body += self.class_stub(kind) + [""]
        for name in sorted(name for name, member in members.items() if inspect.isbuiltin(member)):
            body += self.function(name, members[name].__doc__) + [""]
        text = "\n".join(body)
        imports = ["# Written by python/make_stubs.py from the extension: do not edit.", f'"""{self.module.__doc__}"""', ""]
        imports += ["import os"] if "os.PathLike" in text else []
        of_abc = [name for name in ("Callable", "Iterator", "Sequence") if re.search(rf"\b{name}\[", text)]
        imports += [f"from collections.abc import {', '.join(of_abc)}"] if of_abc else []
        of_typing = [name for name in ("Any", "Literal", "overload") if re.search(rf"\b{name}\b", text)]
        imports += [f"from typing import {', '.join(of_typing)}", ""] if of_typing else [""]
        imports += ["import numpy as np"] if "np." in text else []
        imports += ["import numpy.typing as npt"] if "npt." in text else []
        imports += ["from numpy.typing import ArrayLike"] if "ArrayLike" in text else []
        imports += ["", "from stiction import results as _results"] if "_results." in text else []
        imports += [""] + [f"from . import {name} as _{name}" for name in sorted(self.uses)]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(imports + [""]) + text).rstrip() + "\n"


def keywords(fields, many):
    """The parameters of a model, for one or many, or of a controller: keywords, those that must be given first."""
    given = []
    for field in fields:
        kind = "ArrayLike" if many else "bool" if isinstance(field["default"], bool) else "float"
        given.append(f"{field['name']}: {kind}" + ("" if field["default"] is None else " = ..."))
    return "*, " + ", ".join(sorted(given, key=lambda text: "=" in text))


def attribute(field):
    """The type of a model's parameter: a number, or an array where there are several models."""
    if ", each " in field["range"]:
        return "npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]"
    return "int | npt.NDArray[np.int64]" if isinstance(field["default"], int) else "float | npt.NDArray[np.float64]"


def all_stubs():
    modules = {name: module for name, module in vars(_core).items() if inspect.ismodule(module)}
    stubs = {"__init__.pyi": "# Written by python/make_stubs.py from the extension: do not edit.\n"
             + "".join(f"from . import {name} as {name}\n" for name in sorted(modules)) + "\n__version__: str\n"}
    return stubs | {f"{name}.pyi": Module(module).stub() for name, module in modules.items()}


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
