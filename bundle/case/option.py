"""An option of an export, defined once: Python's keywords, their help and the command line follow from the fields.

A field of `Settings` or `Checkpoint` is an option if its metadata are `option(...)`; name, type and default are the
field's own. docs/adding-an-option.md is the recipe.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Kind = TypeVar("Kind", bound="type[DataclassInstance]")
Function = TypeVar("Function", bound=Callable[..., Any])
# The sections of a command's --help.
EVERY_DAY, UNSTATED, PROOF, PRECISION, OUTPUT = (
    "Every day",
    "What the file does not say",
    "Proof",
    "Precision",
    "Output",
)
_KEY = "azx.option"
# The line of a docstring that is replaced by the options.
HERE = "options: as below."


@dataclass(frozen=True)
class Option:
    """An option of an export: its name, help and place, for Python and for the command line.

    Attributes:
        member: the field's name.
        keyword: its name in Python.
        about: a sentence or two for help.
        flag: its name on the command line, empty if only programs may give it.
        section: the section of --help.
        kind: how its text on the command line is parsed, a name of `commands/options/from_fields.py`.
        metavar: the placeholder for its text in --help.
        takes: the keyword's type, if it accepts more than the field's type.
        default: the field's default.

    """

    member: str
    keyword: str
    about: str
    flag: str
    section: str
    kind: str
    metavar: str | None
    takes: str
    default: Any


def option(
    about: str,
    flag: str = "",
    section: str = EVERY_DAY,
    kind: str = "text",
    *,
    metavar: str | None = None,
    takes: str = "",
    keyword: str = "",
) -> Mapping[str, Any]:
    """The metadata that makes a field an option; give `keyword` if its name in Python is not the field's."""
    members = {"about": about, "flag": flag, "section": section, "kind": kind, "metavar": metavar}
    return {_KEY: {**members, "takes": takes, "keyword": keyword}}


def options_of(*kinds: type[DataclassInstance]) -> Iterator[Option]:
    """The options among the fields of `kinds`, in the fields' order."""
    for kind in kinds:
        for member in fields(kind):
            if _KEY in member.metadata:
                members = dict(member.metadata[_KEY])
                members["keyword"] = members["keyword"] or member.name
                members["takes"] = members["takes"] or str(member.type)
                yield Option(member=member.name, default=_default_of(member), **members)


def documents_options(kind: Kind) -> Kind:
    """A class decorator that adds each option to the docstring, after the attributes in it."""
    lines = [_argument_line(each.member, each.about) for each in options_of(kind)]
    text = inspect.cleandoc(kind.__doc__ or "")
    head = [text] if "\nAttributes:\n" in text else [text, "", "Attributes:"]
    kind.__doc__ = "\n".join([*head, *lines, ""])
    return kind


def takes_options(*kinds: type[DataclassInstance], but: str = "", only: Any = None) -> Callable[[Function], Function]:
    """A decorator that replaces `**` in a function's signature and docstring by the options of `kinds`.

    `but` is a keyword that the function does not take. `only` is a TypedDict with the keywords that it takes, if not
    all.
    """

    def decorate(function: Function) -> Function:
        options = [each for each in options_of(*kinds) if each.keyword != but]
        if only is not None:
            options = [each for each in options if each.keyword in only.__annotations__]
        signature = inspect.signature(function)
        named = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        named += [
            inspect.Parameter(each.keyword, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=each.takes)
            for each in options
        ]
        text = inspect.cleandoc(function.__doc__ or "").replace(
            HERE, "\n".join(_argument_line(each.keyword, each.about) for each in options).lstrip()
        )
        function.__doc__ = text
        vars(function)["__signature__"] = signature.replace(parameters=named)
        return function

    return decorate


def _argument_line(name: str, about: str) -> str:
    return textwrap.fill(
        f"{name}: {about}", 110, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False
    )


def _default_of(member: Field[Any]) -> Any:
    return member.default if member.default_factory is MISSING else member.default_factory()
