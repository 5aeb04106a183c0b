"""Plain storage of many short texts and numbers, without a Python object for each.

Promises: immutable, a text costs its UTF-8 bytes and four more. Leaves meaning to `bot.search.segment`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray


def encoded(text: str) -> bytes:
    """UTF-8; half a surrogate pair, which no text of people's has, becomes a question mark."""
    return text.encode("utf-8", "replace")


def ordered(values: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The stable order of fewer than 2³² values: `argsort`, but in a fifth of the time and half the memory."""
    keys = values.astype(np.uint64)
    keys <<= np.uint64(32)
    keys |= np.arange(len(values), dtype=np.uint32)
    keys.sort()
    return keys.astype(np.uint32)  # the lower half


class Strings:
    """An immutable list of texts in one blob of UTF-8."""

    def __init__(self, blob: bytes = b"", ends: array[int] | None = None) -> None:
        """Take the texts' UTF-8 and where each ends in it, a zero before the first."""
        self.blob = blob
        self.ends = array("I", (0,)) if ends is None else ends

    @classmethod
    def joined(cls, parts: Sequence[Strings]) -> Strings:
        """The texts of several, one after the other."""
        ends, first = array("I", (0,)), 0
        for part in parts:
            ends.frombytes((np.frombuffer(part.ends, np.uint32)[1:] + np.uint32(first)).tobytes())
            first += len(part.blob)
        return cls(b"".join([part.blob for part in parts]), ends)

    def only(self, kept: NDArray[np.bool_]) -> Strings:
        """The texts at the places where `kept` is true."""
        ends = np.frombuffer(self.ends, np.uint32)
        # Whole runs of neighbours are copied at once: few papers are ever gone.
        edges = np.flatnonzero(np.diff(kept, prepend=False, append=False))
        cuts = ends[edges].tolist()
        runs = [self.blob[low:high] for low, high in zip(cuts[::2], cuts[1::2], strict=True)]
        lengths = np.diff(ends)[kept]
        places = array("I", (0,))
        places.frombytes(np.cumsum(lengths, dtype=np.uint32).tobytes())
        return Strings(b"".join(runs), places)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, place: int) -> str:
        return self.blob[self.ends[place] : self.ends[place + 1]].decode()

    def raw(self, place: int) -> bytes:
        """The bytes of one text."""
        return self.blob[self.ends[place] : self.ends[place + 1]]

    def many(self, places: Iterable[int]) -> list[str]:
        """Several texts at once."""
        blob, ends = self.blob, self.ends
        return [blob[ends[place] : ends[place + 1]].decode() for place in places]

    def lengths(self, places: NDArray[np.uint32]) -> NDArray[np.int64]:
        """How many bytes each of several texts has."""
        ends = np.frombuffer(self.ends, np.uint32)
        result: NDArray[np.int64] = ends[places + np.uint32(1)].astype(np.int64) - ends[places]
        return result

    def owner(self, offset: int) -> int:
        """Which text the byte at an offset of the blob belongs to."""
        return bisect_left(self.ends, offset + 1) - 1


class Growing:
    """Texts as they come in, until they are enough for a `Strings`."""

    def __init__(self) -> None:
        """Start empty."""
        self._blob = bytearray()
        self._ends = array("I", (0,))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def append(self, text: str) -> None:
        """Take one more."""
        self._blob += encoded(text)
        self._ends.append(len(self._blob))

    def finish(self) -> Strings:
        """All of them; it is empty then."""
        texts = Strings(bytes(self._blob), self._ends)
        self._blob, self._ends = bytearray(), array("I", (0,))
        return texts


class Sorted(Strings):
    """A `Strings` whose distinct texts are sorted by their bytes.

    A fence of every 32nd text finds a beginning, a table of checksums a whole text in a third of that time.
    """

    _STEP = 32

    def __init__(self, blob: bytes = b"", ends: array[int] | None = None) -> None:
        """Keep the texts, which come sorted."""
        super().__init__(blob, ends)
        self._fence = [self.raw(place) for place in range(0, len(self), self._STEP)]
        sums = np.fromiter((crc32(self.raw(place)) for place in range(len(self))), np.uint32, len(self))
        order = np.argsort(sums, kind="stable").astype(np.uint32)
        # `bisect` reads an `array` faster than a numpy one.
        self._sums, self._by_sum = array("I", sums[order].tobytes()), array("I", order.tobytes())

    def find(self, wanted: bytes) -> int:
        """Where a text stands, -1 when it isn't here."""
        checksum, sums, blob, ends = crc32(wanted), self._sums, self.blob, self.ends
        at = bisect_left(sums, checksum)
        while at < len(sums) and sums[at] == checksum:
            place = self._by_sum[at]
            if blob[ends[place] : ends[place + 1]] == wanted:
                return place
            at += 1
        return -1

    def place(self, wanted: bytes) -> int:
        """Where `wanted` stands or would stand."""
        high = bisect_left(self._fence, wanted) * self._STEP
        return bisect_left(
            range(len(self)), wanted, max(0, high - self._STEP), min(len(self), high + 1), key=self.raw
        )


class Starts:
    """The texts of a `Strings` in order of their beginnings, for look-ups by prefix."""

    _WIDTH = 32  # bytes that are ordered; longer prefixes are compared one by one
    _STEP = 32

    def __init__(self, texts: Strings) -> None:
        """Order the texts once."""
        self._texts = texts
        heads = np.zeros(len(texts), f"S{self._WIDTH}")
        # In slices: one big conversion would hold the interpreter lock for tens of milliseconds.
        for low in range(0, len(texts), 512):
            heads[low : low + 512] = [texts.raw(i) for i in range(low, min(low + 512, len(texts)))]
        self._order = array("I", np.argsort(heads, kind="stable").astype(np.uint32).tobytes())
        self._fence = [self._head(place) for place in self._order[:: self._STEP]]

    def starting(self, prefix: str, limit: int) -> list[int]:
        """Up to `limit` places whose text starts with `prefix`."""
        wanted = encoded(prefix)
        head = wanted[: self._WIDTH]
        low = self._place(head)
        if len(wanted) <= self._WIDTH:
            high = min(self._place(head + b"\xff"), low + limit)
            return self._order[low:high].tolist()
        rest = self._order[low : self._place(head + b"\xff")]
        return [place for place in rest if self._texts.raw(place).startswith(wanted)][:limit]

    def _place(self, head: bytes) -> int:
        high = bisect_left(self._fence, head) * self._STEP
        return bisect_left(
            self._order,
            head,
            max(0, high - self._STEP),
            min(len(self._order), high + 1),
            key=self._head,
        )

    def _head(self, place: int) -> bytes:
        return self._texts.raw(place)[: self._WIDTH]


class Lookup:
    """From a key to its paper, by 64-bit hash; a key costs twelve bytes."""

    def __init__(self, hashes: NDArray[np.uint64], places: NDArray[np.uint32]) -> None:
        """Take hashes of keys and the places of their papers, in any order."""
        order = np.argsort(hashes, kind="stable")
        self.hashes = hashes[order]
        self.places = places[order]

    @staticmethod
    def hash(key: str) -> int:
        """The hash of a key, good for the life of this process."""
        return hash(key) & 0xFFFFFFFFFFFFFFFF

    def places_of(self, key: str) -> list[int]:
        """The papers known under a key."""
        wanted = np.uint64(self.hash(key))
        low, high = (
            np.searchsorted(self.hashes, wanted, "left"),
            np.searchsorted(self.hashes, wanted, "right"),
        )
        return [int(place) for place in self.places[low:high]]
