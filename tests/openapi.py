"""Outgoing bodies against Discord's published API description.

Promises: `Checker.complaints(exchange)` lists what is wrong with a request body by Discord's OpenAPI file, with
`oneOf` read as any-of and ids taken as numbers too. Leaves limits that the file doesn't know to `bot.sandbox.limits*`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from jsonschema import Draft202012Validator

Json = dict[str, Any]
_WITHOUT_BODY = frozenset({"GET", "DELETE"})


class Served(Protocol):
    """What a served request has to tell; `bot.sandbox.rest.Exchange` does."""

    @property
    def method(self) -> str: ...

    @property
    def template(self) -> str: ...

    @property
    def path(self) -> str: ...

    @property
    def body(self) -> object: ...

    @property
    def files(self) -> int: ...


class Checker:
    """Validates request bodies; built once, the schemas are compiled on first use.

    Args:
        path: Discord's ``openapi.json``.
    """

    def __init__(self, path: Path) -> None:
        described = json.loads(path.read_text(encoding="utf-8"))
        self._paths: Json = described["paths"]
        self._definitions = {
            name: _relaxed(schema) for name, schema in described["components"]["schemas"].items()
        }
        self._validator = cache(self._compile)

    def complaints(self, served: Served) -> list[str]:
        """What is wrong with one request, each a sentence with its place; empty when nothing is, or no body came."""
        validator = self._validator(served.method, _template(served.template, served.path))
        if validator is None or served.body is None:
            return []
        return [f"{served.method} {served.path}: {text}" for text in _explained(validator, served.body)]

    def all_complaints(self, exchanges: Iterable[Served]) -> list[str]:
        """The complaints of many requests."""
        return [text for served in exchanges for text in self.complaints(served)]

    def reply_complaints(self, method: str, template: str, status: int, data: object) -> list[str]:
        """What is wrong with an answer of a route.

        Raises:
            KeyError: Discord describes no such answer.
        """
        content = self._paths[template][method.lower()]["responses"][str(status)]["content"]
        schema = _relaxed(content["application/json"]["schema"])
        validator = Draft202012Validator({**schema, "components": {"schemas": self._definitions}})
        return [f"{method} {template}: {text}" for text in _explained(validator, data)]

    def knows(self, method: str, template: str) -> bool:
        """Whether Discord describes a route."""
        return method.lower() in self._paths.get(template, {})

    def _compile(self, method: str, template: str) -> Draft202012Validator | None:
        if not self.knows(method, template):
            raise KeyError(f"Discord describes no {method} {template}")
        operation = self._paths[template][method.lower()]
        content = operation.get("requestBody", {}).get("content", {})
        if method in _WITHOUT_BODY or "application/json" not in content:
            return None
        schema = _relaxed(content["application/json"]["schema"])
        return Draft202012Validator({**schema, "components": {"schemas": self._definitions}})


def _template(template: str, path: str) -> str:
    # The description gives `@original` a path of its own.
    if path.endswith("/messages/@original"):
        return template.replace("{message_id}", "@original")
    return template


def _explained(validator: Draft202012Validator, body: object) -> list[str]:
    found = []
    for error in validator.iter_errors(body):
        deepest = max(_leaves(error), key=lambda leaf: len(leaf.absolute_path))
        place = ".".join(str(step) for step in deepest.absolute_path) or "body"
        found.append(f"{place}: {deepest.message[:300]}")
    return found


def _leaves(error: Any) -> list[Any]:  # noqa: ANN401 - jsonschema types its contexts loosely
    if not error.context:
        return [error]
    return [leaf for inner in error.context for leaf in _leaves(inner)]


def _relaxed(schema: Any) -> Any:  # noqa: ANN401 - JSON of any shape
    """A schema with `oneOf` read as any-of and ids allowed as numbers."""
    if isinstance(schema, list):
        return [_relaxed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("format") == "snowflake" and schema.get("type") == "string":
        return {
            "anyOf": [{"type": "string", "pattern": schema["pattern"]}, {"type": "integer", "minimum": 0}]
        }
    relaxed = {name: _relaxed(value) for name, value in schema.items()}
    if "oneOf" in relaxed:
        relaxed["anyOf"] = relaxed.pop("oneOf")
    return relaxed
