"""Every string a person sees, in English, Simplified and Traditional Chinese.

Promises: the same keys and placeholders in every language (a test holds it).
Leaves to others: making foreign values harmless before they are put in (`bot.render.safe`).
"""

from bot.locales.catalogue import Catalogue, described, language_of

__all__ = ["Catalogue", "described", "language_of"]
