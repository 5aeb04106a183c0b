"""A strict local Discord: REST, gateway, persons who act, and a web page.

Promises: an unmodified discord.py connects to it, and what Discord refuses it refuses, with Discord's codes.
Leaves to others: the bot itself (`bot.app`). It listens on the loopback interface only.

`world` is the truth; `rest*` and `gateway` are how bots see it, `human` and `page` how persons do, `limits*` is what
Discord refuses in a body, `faults` what goes wrong on the way, `server` puts it together. Not simulated: voice,
reactions, pins, polls, stickers, invites, audit log, auto moderation, slow mode, and webhooks of channels.
"""
