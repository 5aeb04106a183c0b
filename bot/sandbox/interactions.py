"""Interactions in flight: from the person's act to the bot's answer.

Promises: Discord's clock of an interaction (first answer within 3 s, token good for 15 minutes, one first answer).
Leaves to others: the payload (`payloads`), the HTTP side (`rest_interactions`), the person's side (`human`).
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from typing import TYPE_CHECKING

from bot.sandbox.errors import refusal
from bot.sandbox.model import Application, Channel, Command, JsonObject, Message, User

if TYPE_CHECKING:
    from bot.sandbox.state import WorldState

FIRST_ANSWER = timedelta(seconds=3)
TOKEN_LIFE = timedelta(minutes=15)
FOLLOW_UPS_OF_A_STRANGER = 5


class InteractionType(IntEnum):
    """Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Answer(IntEnum):
    """Discord's interaction callback types."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(slots=True, eq=False)
class Interaction:
    """One interaction.

    Attributes:
        authorizing: Discord's `authorizing_integration_owners`.
        data: Discord's `data` (command options, custom_id …).
        source: the message whose component was used (or whose modal was submitted), or None.
        answer: the type of the first answer, None until it came.
        original_id: the message that `@original` means.
        choices: what autocomplete was answered with.
        modal: the modal that was opened, as Discord's JSON.
        deferred: whether the real answer is still to come.
        hidden: whether the answer is ephemeral.
        message_ids: the messages posted with its token.
        changed: set whenever any of the above changes; the person's side waits on it.
    """

    id: int
    token: str
    type: InteractionType
    application_id: int
    user_id: int
    channel_id: int
    guild_id: int | None
    created_at: datetime
    authorizing: dict[str, str]
    data: JsonObject
    command: Command | None = None
    source: Message | None = None
    origin: Interaction | None = None
    answer: Answer | None = None
    original_id: int | None = None
    deferred: bool = False
    hidden: bool = False
    follow_ups: int = 0
    message_ids: list[int] = field(default_factory=list)
    choices: list[JsonObject] | None = None
    modal: JsonObject | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def stranger(self) -> bool:
        """Whether the application is only installed for the user, not in the server."""
        return self.guild_id is not None and "0" not in self.authorizing


class Interactions:
    """All interactions of the last quarter of an hour."""

    def __init__(self, world: WorldState) -> None:
        self._world = world
        self._held: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}

    def create(
        self,
        kind: InteractionType,
        app: Application,
        person: User,
        channel: Channel,
        data: JsonObject,
        *,
        authorizing: dict[str, str],
        command: Command | None = None,
        source: Message | None = None,
        origin: Interaction | None = None,
    ) -> Interaction:
        """A new interaction, not yet told to the application."""
        self._sweep()
        made = Interaction(
            self._world.new_id(),
            secrets.token_urlsafe(96),
            kind,
            app.id,
            person.id,
            channel.id,
            channel.guild_id,
            self._world.clock.now(),
            authorizing,
            data,
            command=command,
            source=source,
            origin=origin,
        )
        self._held[made.id] = made
        self._by_token[made.token] = made
        return made

    def for_callback(self, interaction_id: int, token: str) -> Interaction:
        """The interaction a first answer is for.

        Raises:
            ApiError: 10062 when it is unknown or older than 3 s, 40060 when it was answered.
        """
        found = self._held.get(interaction_id)
        if found is None or not secrets.compare_digest(found.token.encode(), token.encode()):
            raise refusal(10062)
        # Answered comes before late: a client that retries has to learn that its first try arrived.
        if found.answer is not None:
            raise refusal(40060)
        if self.is_late(found):
            raise refusal(10062)
        return found

    def for_webhook(self, application_id: int, token: str) -> Interaction:
        """The interaction whose token a follow-up uses.

        Raises:
            ApiError: 10015 when the token is unknown or the interaction unanswered, 50027 after 15 minutes.
        """
        found = self._by_token.get(token)
        if found is None or found.application_id != application_id:
            raise refusal(10015)
        if self._world.clock.now() - found.created_at > TOKEN_LIFE:
            raise refusal(50027)
        if found.answer is None:
            raise refusal(10015)
        return found

    def of_token(self, token: str) -> Interaction | None:
        """The interaction of a token, or None."""
        return self._by_token.get(token)

    def is_late(self, interaction: Interaction) -> bool:
        """Whether the time for the first answer is over."""
        return self._world.clock.now() - interaction.created_at > FIRST_ANSWER

    def note(self, interaction: Interaction) -> None:
        """Wake whoever waits for this interaction."""
        interaction.changed.set()

    def _sweep(self) -> None:
        limit = self._world.clock.now() - 2 * TOKEN_LIFE
        for old in [held for held in self._held.values() if held.created_at < limit]:
            del self._held[old.id]
            del self._by_token[old.token]
