"""Settings: what is accepted, what is refused with which sentence, and that .env.example says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import Settings, SettingsError, load_settings

EXAMPLE = Path(__file__).resolve().parents[1] / ".env.example"


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test sees the machine's own settings."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


def test_defaults_start_without_any_setting() -> None:
    settings = load_settings()
    assert settings.token == ""
    assert settings.database_path == Path("data/herald.db")
    assert settings.listing_dir is None


def test_every_setting_stands_in_env_example_with_its_help() -> None:
    lines = EXAMPLE.read_text("utf-8").splitlines()
    for name, field in Settings.model_fields.items():
        place = next((i for i, line in enumerate(lines) if line.startswith(f"{name.upper()}=")), None)
        assert place is not None, f"{name.upper()} is missing in .env.example"
        assert lines[place - 1] == f"# {field.description}"


def test_env_example_names_no_setting_that_does_not_exist() -> None:
    named = {line.partition("=")[0] for line in EXAMPLE.read_text("utf-8").splitlines() if "=" in line}
    assert {name for name in named if not name.startswith("#")} <= {
        name.upper() for name in Settings.model_fields
    }


def test_example_file_itself_can_be_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(EXAMPLE.read_text("utf-8"), "utf-8")
    assert load_settings() == load_settings(_env_file=None)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DEFAULT_TIMEZONE", "Mars/Olympus", "DEFAULT_TIMEZONE: 'Mars/Olympus' is no IANA time zone"),
        ("DEFAULT_TIMEZONE", "../etc/passwd", "DEFAULT_TIMEZONE"),
        ("DISCORD_API_BASE", "http://example.org/api/v10", "would send the token unencrypted"),
        ("DISCORD_API_BASE", "ftp://127.0.0.1/api", "is no http(s) address"),
        ("DISCORD_API_BASE", "http://127.0.0.1.example.org/api", "would send the token unencrypted"),
        ("OWNER_IDS", "1, two", "OWNER_IDS"),
        ("LISTING_URLS", "example.org/list", "LISTING_URLS: 'example.org/list' is no http(s) address"),
        ("LISTING_URLS", "https://a.example, ftp://b.example", "is no http(s) address"),
        ("ARXIV_API_BASE", "https://", "ARXIV_API_BASE"),
        ("ICLR_DATA_BASE", "https://x:99999/", "ICLR_DATA_BASE"),
        ("POLL_MINUTES", "0", "POLL_MINUTES"),
        ("POLL_MINUTES", "often", "POLL_MINUTES"),
        ("CONTACT_EMAIL", "me at home", "is no e-mail address"),
        ("CONTACT_EMAIL", "a@b\r\nX-Evil: 1", "is no e-mail address"),
        ("LLM_BASE_URL", "http://127.0.0.1:1/v1", "LLM_BASE_URL and LLM_MODEL go together"),
        ("LLM_MODEL", "small", "LLM_BASE_URL and LLM_MODEL go together"),
        ("LLM_DAILY_BUDGET", "-1", "LLM_DAILY_BUDGET"),
        ("DEV_GUILD_ID", "here", "DEV_GUILD_ID"),
        ("LOG_LEVEL", "LOUD", "LOG_LEVEL"),
    ],
)
def test_a_bad_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "base",
    [
        "http://127.0.0.1:8080/api/v10/",
        "http://[::1]:1/api/v10",
        "http://localhost/api/v10",
        "https://d.example/api/v10",
    ],
)
def test_loopback_may_be_plain_and_others_need_tls(monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    monkeypatch.setenv("DISCORD_API_BASE", base)
    assert load_settings().discord_api_base == base.rstrip("/")


@pytest.mark.parametrize(
    ("base", "fine"),
    [
        ("https://api.example/v1", True),
        ("http://127.0.0.1:8000/v1", True),
        ("http://192.168.1.5:8000/v1", True),
        ("http://vllm:8000/v1", True),
        ("http://api.example/v1", False),
        ("http://93.184.216.34/v1", False),
    ],
)
def test_the_models_key_travels_encrypted(monkeypatch: pytest.MonkeyPatch, base: str, fine: bool) -> None:
    for name, value in (("LLM_BASE_URL", base), ("LLM_MODEL", "small"), ("LLM_API_KEY", "secret")):
        monkeypatch.setenv(name, value)
    if fine:
        assert "secret" not in repr(load_settings())
        return
    with pytest.raises(SettingsError, match="would send LLM_API_KEY unencrypted"):
        load_settings()


def test_listing_urls_are_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "LISTING_URLS", " https://a.example/?x=1,2 ,https://b.example\thttps://a.example/?x=1,2 "
    )
    assert load_settings().listing_urls == ("https://a.example/?x=1,2", "https://b.example")


def test_owner_ids_are_a_list_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWNER_IDS", "12, 34,")
    assert load_settings().owner_ids == {12, 34}


def test_the_token_does_not_show_in_a_printout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "very-secret")
    settings = load_settings()
    assert settings.token == "very-secret"
    assert "very-secret" not in repr(settings)
