"""ICLR Herald: a Discord bot for people who follow ICLR in English and Chinese."""
