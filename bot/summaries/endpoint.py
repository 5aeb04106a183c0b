"""An OpenAI-compatible endpoint (vLLM, Ollama, llama.cpp, hosted ones).

Promises: one answer's text, or an error that says whether the endpoint or the question is to blame; bounded size and
time; the key goes to the configured address only. Leaves to `service`: when to ask; to `checks`: believing it.
"""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import aiohttp

from bot.clock import Clock
from bot.sources.http import retry_after

SECONDS = 120.0
_SIZE = 1 << 20
_TOKENS = 1_200  # models that think aloud need room before the answer


class EndpointError(Exception):
    """The endpoint can't be used now; `wait` is how long it asks to be left alone."""

    def __init__(self, text: str, wait: timedelta | None = None) -> None:
        super().__init__(text)
        self.wait = wait


class AnswerError(Exception):
    """This question got no answer that can be read; another one may."""


class Endpoint:
    """`POST <base>/chat/completions`."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        *,
        base: str,
        model: str,
        key: str,
        clock: Clock,
        seconds: float = SECONDS,
    ) -> None:
        self._session = session
        self._url = base.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"
        self.model = model
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._clock = clock
        self._seconds = seconds

    async def ask(self, messages: list[dict[str, str]]) -> str:
        """The answer to a conversation.

        Raises:
            EndpointError: unreachable, slow, busy, wrong key or model.
            AnswerError: refused as a question, cut off, empty, or no answer's shape.
        """
        body = {"model": self.model, "messages": messages, "temperature": 0, "max_tokens": _TOKENS}
        try:
            async with asyncio.timeout(self._seconds):
                return await self._post(body)
        except TimeoutError:
            raise EndpointError(f"the language model took longer than {self._seconds:g} seconds") from None
        except (aiohttp.ClientError, OSError) as error:
            raise EndpointError(f"the language model can't be reached ({type(error).__name__})") from None

    async def _post(self, body: dict[str, object]) -> str:
        async with self._session.post(
            self._url, json=body, headers=self._headers, allow_redirects=False
        ) as response:
            if response.status in (400, 413, 422):
                raise AnswerError(f"the language model refuses the question ({response.status})")
            if response.status != 200:
                wait = retry_after(response.headers.get("Retry-After"), self._clock.now())
                raise EndpointError(f"the language model answers {response.status}", wait)
            data = bytearray()
            async for piece in response.content.iter_chunked(1 << 16):
                data += piece
                if len(data) > _SIZE:
                    raise AnswerError("the language model's answer is larger than 1 MiB")
        return _text(bytes(data))


def _text(data: bytes) -> str:
    """The text of a `chat.completion` object."""
    try:
        loaded = json.loads(data)
        choice = loaded["choices"][0]
        text = choice["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise AnswerError("the language model's answer isn't the JSON of a chat completion") from None
    if choice.get("finish_reason") == "length":
        raise AnswerError("the language model's answer is cut off")
    if not isinstance(text, str) or not text.strip():
        raise AnswerError("the language model's answer is empty")
    return text
