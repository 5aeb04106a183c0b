"""What Discord refuses, written from its documentation and independently of the code under test."""

from __future__ import annotations

import re
from typing import Any


def units(text: str) -> int:
    return max(len(text), len(text.encode("utf-16-le", "surrogatepass")) // 2)


def faults(body: dict[str, Any]) -> list[str]:
    """Everything for which Discord would refuse this "create message" body."""
    found = []
    content, embeds, rows = body.get("content") or "", body.get("embeds") or [], body.get("components") or []
    if units(content) > 2000:
        found.append("content")
    if not content.strip() and not embeds:
        found.append("empty message")
    if len(embeds) > 10:
        found.append("embeds")
    if sum(embed_units(embed) for embed in embeds) > 6000:
        found.append("embeds together")
    for embed in embeds:
        found += embed_faults(embed)
    if len(rows) > 5:
        found.append("rows")
    found += component_faults([component for row in rows for component in row["components"]])
    found += [f"row of {len(row['components'])}" for row in rows if not 1 <= len(row["components"]) <= 5]
    return found


def embed_units(embed: dict[str, Any]) -> int:
    texts = [embed.get("title"), embed.get("description")]
    texts += [embed.get("footer", {}).get("text"), embed.get("author", {}).get("name")]
    texts += [text for field in embed.get("fields", []) for text in (field["name"], field["value"])]
    return sum(units(text) for text in texts if text)


def embed_faults(embed: dict[str, Any]) -> list[str]:
    limits = {"title": 256, "description": 4096}
    found = [key for key, most in limits.items() if units(embed.get(key) or "") > most]
    if units(embed.get("footer", {}).get("text", "")) > 2048:
        found.append("footer")
    if units(embed.get("author", {}).get("name", "")) > 256:
        found.append("author")
    fields = embed.get("fields", [])
    if len(fields) > 25:
        found.append("fields")
    for field in fields:
        if not 1 <= units(field["name"]) <= 256 or not field["name"].strip():
            found.append("field name")
        if not 1 <= units(field["value"]) <= 1024 or not field["value"].strip():
            found.append("field value")
    if embed.get("url") and not embed["url"].startswith(("http://", "https://")):
        found.append("embed url")
    if embed_units(embed) == 0:
        found.append("empty embed")
    text = (embed.get("description") or "") + "".join(field["value"] for field in fields)
    if len(re.findall(r"(?<!\\)\]\(", text)) > 20:
        found.append("links")
    return found


def component_faults(components: list[dict[str, Any]]) -> list[str]:
    found = []
    ids = [component["custom_id"] for component in components if "custom_id" in component]
    if len(set(ids)) < len(ids):
        found.append("custom_id twice")
    for component in components:
        if component["type"] == 2:
            found += [] if 1 <= units(component["label"]) <= 80 else ["label"]
            found += [] if (component["style"] == 5) == ("url" in component) else ["link button"]
            found += [] if ("url" in component) != ("custom_id" in component) else ["button without act"]
            found += [] if units(component.get("url", "")) <= 512 else ["button url"]
        else:
            options = component["options"]
            found += [] if 1 <= len(options) <= 25 else ["options"]
            values = [option["value"] for option in options]
            found += [] if len(set(values)) == len(values) else ["option value twice"]
            for option in options:
                texts = (option["label"], option["value"], option.get("description", "x"))
                found += [] if all(1 <= units(text) <= 100 for text in texts) else ["option"]
            found += [] if units(component.get("placeholder", "")) <= 150 else ["placeholder"]
            found += [] if 1 <= component["max_values"] <= len(options) else ["max_values"]
        found += [] if 0 < units(component.get("custom_id", "x")) <= 100 else ["custom_id"]
    return found
