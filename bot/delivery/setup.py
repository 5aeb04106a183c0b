"""How the parts of the delivery fit together.

Promises: one worker for one client and one database. Leaves to `bot.app`: when it starts and stops.
"""

from __future__ import annotations

import discord

from bot.checkpoint import Checkpoint, nothing
from bot.clock import Clock
from bot.delivery.history import History
from bot.delivery.outcome import Outcomes
from bot.delivery.pace import OPEN_DM_EVERY, InvalidRequests, Pacer
from bot.delivery.places import Places
from bot.delivery.post import DiscordPost
from bot.delivery.trouble import Troubles
from bot.delivery.worker import OutboxWorker
from storage.database import Database
from storage.outbox import OutboxStore
from storage.people import PeopleStore


def build_worker(
    *,
    client: discord.Client,
    database: Database,
    clock: Clock,
    invalid: InvalidRequests,
    pace: Pacer,
    troubles: Troubles,
    checkpoint: Checkpoint = nothing,
) -> OutboxWorker:
    """The worker that sends a database's outbox through a client."""
    outbox = OutboxStore(database)
    places = Places(client, PeopleStore(database), pace, Pacer(1 / OPEN_DM_EVERY.total_seconds()))
    post = DiscordPost(outbox=outbox, places=places, history=History(client, pace), pace=pace, clock=clock)
    outcomes = Outcomes(outbox=outbox, post=post, clock=clock, invalid=invalid, telling=troubles)
    return OutboxWorker(
        outbox=outbox,
        post=post,
        clock=clock,
        invalid=invalid,
        outcomes=outcomes,
        checkpoint=checkpoint,
    )
