"""Where the English and the Chinese summary of a paper come from.

Promises: every summary has its origin. Leaves to `bot.papers.merge`: which origin wins.
"""
