"""Every setting, once: its name, type, default and one line of help.

Promises: a frozen value, read in `main()` and passed down, never at import; a bad value is a sentence.
Leaves to `.env.example` (checked against this by a test): the operator's copy.
"""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

DISCORD_API = "https://discord.com/api/v10"


class SettingsError(Exception):
    """A setting has a value that can't be used; the text names it and says why."""


class Settings(BaseSettings):
    """The operator's settings, from the environment and `.env`."""

    model_config = SettingsConfigDict(
        frozen=True, env_file=".env", env_file_encoding="utf-8-sig", extra="ignore", env_ignore_empty=True
    )

    discord_token: SecretStr = Field(
        SecretStr(""), description="Bot token from the Discord developer portal; empty starts the sandbox."
    )
    discord_api_base: str = Field(
        "", description="Other Discord-compatible API, with the version path; empty is discord.com."
    )
    database_path: Path = Field(Path("data/herald.db"), description="The SQLite file; its folder is created.")
    listing_dir: Path | None = Field(
        None, description="Watched folder: a complete new listing in it is loaded within 5 seconds."
    )
    listing_urls: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Addresses of listings (text or HTML), separated by blanks; paged with ?page=N."
    )
    arxiv_api_base: str = Field("", description="The arXiv API: papers that name ICLR, abstracts, ids.")
    iclr_data_base: str = Field("", description="The conference's yearly lists: abstracts, decisions.")
    poll_minutes: int = Field(
        60, ge=1, le=10_080, description="How often each of these three is asked, in minutes."
    )
    contact_email: str = Field("", description="Whom their operators may write to; sent in the User-Agent.")
    llm_base_url: str = Field(
        "", description="OpenAI-compatible endpoint for summaries that no source brings; empty is off."
    )
    llm_api_key: SecretStr = Field(SecretStr(""), description="Its key, where it wants one.")
    llm_model: str = Field("", description="The model's name there.")
    llm_daily_budget: int = Field(500, ge=0, description="Most requests to it a day (UTC).")
    default_timezone: str = Field("UTC", description="IANA time zone suggested for new digests.")
    dev_guild_id: int | None = Field(
        None, description="Register the commands in this server only (at once), instead of everywhere."
    )
    owner_ids: Annotated[frozenset[int], NoDecode] = Field(
        frozenset(), description="Discord user ids of the operators, separated by commas."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="DEBUG, INFO, WARNING or ERROR."
    )
    log_format: Literal["text", "json"] = Field("text", description="text for people, json for machines.")

    @field_validator("owner_ids", mode="before")
    @classmethod
    def _split_ids(cls, value: object) -> object:
        if isinstance(value, str):
            return frozenset(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("listing_urls", mode="before")
    @classmethod
    def _split_urls(cls, value: object) -> object:
        return tuple(re.split(r"[\s,]+(?=https?://)", value.strip())) if isinstance(value, str) else value

    @field_validator("listing_urls")
    @classmethod
    def _web_addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_web_address(one.rstrip(",")) for one in value))

    @field_validator("arxiv_api_base", "iclr_data_base", "llm_base_url")
    @classmethod
    def _web_base(cls, value: str) -> str:
        return _web_address(value).rstrip("/") if value else value

    @field_validator("contact_email")
    @classmethod
    def _plain_email(cls, value: str) -> str:
        """It goes into a header."""
        if value and not re.fullmatch(r"[^\s@<>()\x00-\x1f]+@[^\s@<>()\x00-\x1f]+", value):
            raise ValueError(f"{value!r} is no e-mail address")
        return value

    @model_validator(mode="after")
    def _endpoint_is_whole(self) -> Self:
        """An endpoint needs a model, and its key travels encrypted (plain http within the own network only)."""
        if bool(self.llm_base_url) != bool(self.llm_model):
            raise ValueError("LLM_BASE_URL and LLM_MODEL go together; one of them is empty")
        parts = urlsplit(self.llm_base_url)
        if (
            self.llm_api_key.get_secret_value()
            and parts.scheme == "http"
            and not _is_near(parts.hostname or "")
        ):
            raise ValueError("LLM_BASE_URL would send LLM_API_KEY unencrypted; use https")
        return self

    @field_validator("default_timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"{value!r} is no IANA time zone such as Asia/Shanghai") from error
        return value

    @field_validator("discord_api_base")
    @classmethod
    def _safe_base(cls, value: str) -> str:
        """Plain http would show the token to the network; only loopback is exempt."""
        if not value:
            return value
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{value!r} is no http(s) address")
        if parts.scheme == "http" and not is_loopback(parts.hostname):
            raise ValueError(f"{value!r} would send the token unencrypted; use https")
        return value.rstrip("/")

    @property
    def token(self) -> str:
        """The bot token, or an empty string."""
        return self.discord_token.get_secret_value().strip()


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine itself."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _web_address(value: str) -> str:
    try:
        parts = urlsplit(value)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or re.search(r"\s", value):
        raise ValueError(f"{value!r} is no http(s) address")
    return value


def _is_near(host: str) -> bool:
    """Whether a host is in the own network: loopback, a private address, or a name without a dot (a container)."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host


def load_settings(**overrides: Any) -> Settings:  # noqa: ANN401 - values of any setting's type
    """Read the settings.

    Raises:
        SettingsError: a value can't be used.
    """
    try:
        return Settings(**overrides)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper() if first["loc"] else "settings"
        reason = str(first["msg"]).removeprefix("Value error, ")
        raise SettingsError(f"{name}: {reason}.") from error
