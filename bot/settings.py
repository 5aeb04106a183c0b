"""Every setting, once: its name, type, default and one line of help.

Promises: a frozen value, read in `main()` and passed down, never at import; a bad value is a sentence.
Leaves to `.env.example` (checked against this by a test): the operator's copy.
"""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

DISCORD_API = "https://discord.com/api/v10"


class SettingsError(Exception):
    """A setting has a value that can't be used; the text names it and says why."""


class Settings(BaseSettings):
    """The operator's settings, from the environment and `.env`."""

    model_config = SettingsConfigDict(
        frozen=True, env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True
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
