"""Fills in summaries that no source brings, in the background.

Promises: nobody waits for it; an endpoint that fails is left alone for longer and longer; no answer is paid for twice;
the day's budget holds; a summary that comes later announces nothing. Leaves to `bot.loading`: storing it.
"""

from __future__ import annotations

import logging
import secrets
from datetime import timedelta

from bot.clock import Clock
from bot.loading import Loader
from bot.papers.model import Language, Origin, Paper, Summary
from bot.summaries.checks import problem, tidy
from bot.summaries.endpoint import AnswerError, Endpoint, EndpointError
from bot.summaries.questions import Question, question_for
from storage.papers import PaperStore
from storage.sources import SourceStore
from storage.summaries import SummaryStore

log = logging.getLogger(__name__)

NAME = "language model"
WAKE_EVERY = 20.0  # seconds
BATCH = 20  # papers a wake-up and language
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=1)
# After an answer that couldn't be used; then every month, in case model or checks have changed.
RETRIES = (timedelta(minutes=10), timedelta(hours=6), timedelta(days=30))
NOTHING_TO_ASK = timedelta(days=1)


class SummaryService:
    """Asks the endpoint for one missing summary after another."""

    def __init__(
        self,
        *,
        endpoint: Endpoint,
        loader: Loader,
        papers: PaperStore,
        store: SummaryStore,
        sources: SourceStore,
        clock: Clock,
        budget: int,
    ) -> None:
        self._endpoint = endpoint
        self._loader = loader
        self._papers = papers
        self._store = store
        self._sources = sources
        self._clock = clock
        self._budget = budget
        self._failures = 0

    async def work(self) -> int:
        """Fill in what may be asked for now; how many summaries were added."""
        state = await self._sources.get(NAME)
        now = self._clock.now()
        if state and state.next_run and now < state.next_run <= now + LONGEST_PAUSE * 24:
            return 0
        added = 0
        try:
            for language in (Language.ZH, Language.EN):
                for paper_id in await self._store.waiting(language, now, BATCH):
                    added += await self._fill(paper_id, language)
        except EndpointError as error:
            await self._rest(error)
        except _SpentError:
            tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
            log.info("the language model's budget of %d requests is spent for today", self._budget)
            await self._sources.success(NAME, now, tomorrow)
        else:
            self._failures = 0
            if added or (state and state.last_error):
                await self._sources.success(NAME, self._clock.now())
        return added

    async def _rest(self, error: EndpointError) -> None:
        self._failures += 1
        pause = min(FIRST_PAUSE * 2 ** min(self._failures - 1, 10), LONGEST_PAUSE)
        now = self._clock.now()
        log.warning("summaries wait: %s", error)
        await self._sources.failure(NAME, str(error), now, now + max(pause, error.wait or pause))

    async def _fill(self, paper_id: int, language: Language) -> bool:
        """One paper's summary; whether it was added."""
        paper = await self._papers.get(paper_id)
        question = question_for(paper, language) if paper else None
        if paper is None or question is None:
            await self._store.postpone(
                paper_id, language, self._clock.now() + NOTHING_TO_ASK, "nothing to summarise"
            )
            return False
        key = question.key(self._endpoint.model)
        text = await self._store.answer(key)
        if text is None:
            try:
                text = await self._ask(question)
            except AnswerError as error:
                await self._postpone(paper, language, str(error))
                return False
            await self._store.keep(key, text, self._clock.now())
        return await self._loader.add_summary(paper_id, Summary(language, text, Origin.MODEL))

    async def _ask(self, question: Question) -> str:
        if not await self._store.spend(self._clock.now().date(), self._budget):
            raise _SpentError
        mark = f"##{secrets.token_hex(6)}##"
        text = tidy(await self._endpoint.ask(question.messages(mark)))
        wrong = problem(text, question, mark)
        if wrong:
            raise AnswerError(f"the language model's answer can't be used: {wrong}")
        return text

    async def _postpone(self, paper: Paper, language: Language, why: str) -> None:
        tried = await self._store.attempts(paper.id, language)
        pause = RETRIES[min(tried, len(RETRIES) - 1)]
        log.info("paper %d, %s summary: %s", paper.id, language.value, why)
        await self._store.postpone(paper.id, language, self._clock.now() + pause, why)


class _SpentError(Exception):
    """The day's budget is spent."""
