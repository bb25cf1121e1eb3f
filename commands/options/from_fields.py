"""The command line's options of an export, made from the fields of `Settings` and `Checkpoint` that are options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ...bundle.case.checkpoint import Checkpoint
from ...bundle.case.option import Option, options_of
from ...bundle.case.settings import OPSETS, Settings, as_settings
from ...export.formats.table import ALSO
from . import options

if TYPE_CHECKING:
    from ...sweeps.recipe import Recipe

_BY_KEYWORD = {each.keyword: each for each in options_of(Settings, Checkpoint) if each.flag}
_YES: dict[str, Any] = {"is_flag": True}
# The Click type for each kind of option.
KINDS: dict[str, dict[str, Any]] = {
    "text": {},
    "texts": {"multiple": True, "default": ()},
    "yes": _YES,
    "yes or no": {"show_default": True},
    "file": {"type": options.FILE},
    "from 0": {"type": click.IntRange(0), "show_default": True},
    "from 1": {"type": click.IntRange(1), "show_default": True},
    "opset": {"type": click.IntRange(OPSETS[0], OPSETS[-1]), "show_default": True},
    "batch": {"type": options.BatchSize(), "show_default": True},
    "board": {"type": options.BoardSize()},
    "game": {"type": options.GameName(none=True)},
    "preset": {"type": options.PresetName()},
    "runtimes": {"type": click.Choice(ALSO), "multiple": True},
}
_NAMES = {"formats": options.FORMAT_NAMES, "precisions": options.PRECISION_NAMES}


def option_for(option: Option) -> Callable[[Any], Any]:
    """The decorator that gives a command this option."""
    if option.kind in _NAMES:
        return options.names_option(option.flag, option.keyword, _NAMES[option.kind], option.about)
    more = {"default": option.default, **KINDS[option.kind]}
    if option.metavar or more.get("type") is options.FILE:
        more["metavar"] = option.metavar or "FILE"
    return click.option(option.flag, option.keyword, help=option.about, **more)


def taken(*keywords: str) -> Callable[[options.Command], options.Command]:
    """The options of these keywords, as one decorator."""
    return options.together(*(option_for(_BY_KEYWORD[each]) for each in keywords))


def recipe_of(chosen: dict[str, Any], *, verify: bool = False) -> Recipe:
    """How checkpoints are read and exported; `chosen` has all the options of `export_options`."""
    from ...sweeps.recipe import Recipe

    chosen = dict(chosen)
    like = options.take_checkpoint(chosen, None)
    for name in ("formats", "without", "precision"):
        if not chosen[name]:
            del chosen[name]
    return Recipe(like, as_settings(**chosen), verify)


game_options = taken("game", "encoding")
head_options = taken("value_head", "policy_head")
architecture_options = taken("config", "builder", "preset", "board")
code_option, also_option, require_option = taken("allow_code"), taken("also"), taken("require_all")
# What a command needs that exports a checkpoint on the way.
checkpoint_options = options.together(game_options, head_options, architecture_options, code_option)
export_options = taken(*_BY_KEYWORD)
