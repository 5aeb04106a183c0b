"""A strict local Discord: REST, gateway, persons who act, and a web page.

Promises: an unmodified discord.py connects to it, and what Discord refuses it refuses, with Discord's codes.
Leaves to others: the bot itself (`bot.app`). It listens on the loopback interface only.
"""
