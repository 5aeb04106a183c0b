"""The command line: sub-commands over the same services as the bot.

Promises: an error is one sentence on stderr that names what and where, and an exit code other than 0.
Leaves to the services: the work.
"""
