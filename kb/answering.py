"""Hits, a reading and the engine become an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from kb.answer import ANSWERED, COMPUTED, SILENT, WHICH_GAME, Answer, AnswerStep, GameChoice, Reading
from kb.calibrate import Sample
from kb.claims import Matched, Settled, left_open, match, settle
from kb.computing import Computed, Incomplete, compute
from kb.names import absent
from kb.once import once
from kb.passage import SAYS_NOTHING, Citation, Passage, cite
from kb.question import Question, with_points
from kb.retrieval import AskHit, Hit
from kb.scope import LIKELY, SURE, Candidate, chances
from kb.silence import Evidence, Judgement, calibration_for, judge
from kb.verdict import Case, Finding, find_verdict, signals
from kb.words import stems

if TYPE_CHECKING:
    from kb.knowledge import Knowledge

POOL = 40
"Passages ranked before they are put in order for reading."
AMONG = 12
"A claim counts where its passage is among this many found."
SETTLED_BY = 0.5
"Chance that the first citation settles the question below which no yes or no is taken from it."
NEAREST_ASKS = 30
"Phrasings looked at."
PER_GAME = 3
"Citations shown for each game where the question fits several."
COMPUTED_CONFIDENCE = 0.92
"Printed with a computed answer: of 146 sums in table talk that no reader had been tried on, 135 came out right."
NEAR = 0.5
"Without a game's name nothing is answered that no phrasing is this near: most of that is about other games."
MOST_GAMES = 8
"Games that are looked at for a question without one, where there are more: those of the nearest passages."


@dataclass(frozen=True, slots=True)
class Options:
    """How an answer is wanted."""

    k: int = 5
    as_printed: bool = False
    explain: bool = False


def answer(knowledge: Knowledge, text: str, game: str | None, options: Options) -> Answer:
    """Answers a question about one game, or about whichever game its words tell."""
    question = Question(text)
    if not question.words:
        return Answer(text, game, SILENT, "There is no question here.", missing=("a question in words",))
    scope = game or _named_game(knowledge, question)
    games = [scope] if scope else _likely_games(knowledge, question)
    desks = [Desk(knowledge, question, name, options) for name in games]
    if len(desks) == 1:
        return desks[0].answer()
    return _across(question, desks)


def _named_game(knowledge: Knowledge, question: Question) -> str | None:
    """The one game that the question names by title or alias."""
    text = question.text.casefold()
    named = {
        game.name
        for game in knowledge.games.values()
        for name in (game.title, *game.aliases)
        if re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text)
    }
    return named.pop() if len(named) == 1 else None


def _likely_games(knowledge: Knowledge, question: Question) -> list[str]:
    """The games that a question may be about, where it names none."""
    games = list(knowledge.games)
    if len(games) <= MOST_GAMES:
        return games
    hits = knowledge.retriever.search(question, None, POOL, knowledge.encode(question))
    return list(dict.fromkeys(hit.passage.game for hit in hits))[:MOST_GAMES] or games[:1]


def _across(question: Question, desks: Sequence[Desk]) -> Answer:
    """Which game answers, where none was named."""
    reckoned = [desk for desk in desks if isinstance(desk.computed, Computed) and desk.computed.found.value is not None]
    if len(reckoned) == 1:
        # One game's rules make a whole situation of it, numbers and all.
        return reckoned[0].answer()
    found = chances([desk.candidate for desk in desks], desks[0].knowledge.index.words)
    ranked = sorted(zip(desks, found, strict=True), key=lambda pair: -pair[1])
    best, chance = ranked[0]
    speaking = [(desk, chance) for desk, chance in ranked if not desk.is_silent and desk.is_near]
    if not speaking or (best is not speaking[0][0] and chance >= SURE):
        return best.silence(game=None)
    if chance >= SURE or (len(speaking) == 1 and speaking[0][1] >= LIKELY):
        return speaking[0][0].answer()
    first = speaking[0][0]
    return Answer(
        question.text,
        None,
        WHICH_GAME,
        "Which game? The question fits several.",
        games=tuple(
            GameChoice(desk.game, desk.knowledge.games[desk.game].title, desk.citations[:PER_GAME])
            for desk, _ in speaking
        ),
        confidence=round(first.judgement.confidence, 3),
        did_you_mean=first.did_you_mean,
    )


class Asked(Protocol):
    """A question of a set, with the passages that settle it."""

    @property
    def text(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def scope(self) -> str: ...
    @property
    def gold(self) -> tuple[str, ...]: ...
    @property
    def verdict(self) -> str | None: ...


def samples(
    knowledge: Knowledge, items: Sequence[Asked], advance: Callable[[int, int], None], unseen: int
) -> Iterator[Sample]:
    """What the search sees of each question of a set: what calibration is fitted on.

    Only of the last `unseen` questions is told what speaks for yes and for no: claims and phrasings were written by the
    others, and there are right more often than elsewhere.
    """
    for done, item in enumerate(items, 1):
        games = [item.game] if item.game in knowledge.games else list(knowledge.games)
        for game in games:
            desk = Desk(knowledge, Question(item.text), game, Options())
            first = next((hit.passage.id for hit in desk.saying), None)
            judges = done > len(items) - unseen and item.verdict and desk.is_weighed
            weighed = signals(desk.case) if judges else None
            yield Sample(desk.judgement.signals, bool(item.gold), first in item.gold, weighed, item.verdict == "yes")
        advance(done, len(items))


class Desk:
    """Answers one question from one game."""

    def __init__(self, knowledge: Knowledge, question: Question, game: str, options: Options) -> None:
        self.knowledge, self.asked, self.game, self.options = knowledge, question, game, options
        self.correction = knowledge.speller(game).correct(question.text)
        self.question = Question(with_points(self.correction.text))

    @property
    def did_you_mean(self) -> str | None:
        return self.correction.text if self.correction.changed else None

    @once
    def vector(self) -> Any:
        return self.knowledge.encode(self.question)

    @property
    def candidate(self) -> Candidate:
        """What this game makes of the question, beside others."""
        said = list(dict.fromkeys(stems(self.question.text)))
        return Candidate(self.judgement, said, *self.knowledge.index.range(self.game))

    @property
    def is_near(self) -> bool:
        """Whether the question is like any phrasing of this game, where it has some."""
        return not self.asks or self.asks[0].cosine >= NEAR

    @once
    def hits(self) -> list[Hit]:
        """The best passages, those that say what the rules do not say among them."""
        lexicon = self.knowledge.lexicon(self.game)
        return self.knowledge.retriever.search(self.question, self.game, POOL, self.vector, lexicon)

    @once
    def saying(self) -> list[Hit]:
        """Those of them that say something."""
        return [hit for hit in self.hits if hit.passage.kind not in SAYS_NOTHING]

    @once
    def asks(self) -> list[AskHit]:
        """The phrasings nearest to the question."""
        return self.knowledge.retriever.asks_like(self.vector, self.game, NEAREST_ASKS)

    @once
    def judgement(self) -> Judgement:
        knowledge = self.knowledge
        elsewhere = knowledge.retriever.nearest_elsewhere(self.vector, self.game)
        evidence = Evidence(self.question, self.hits, self.asks, self.settled is not None, elsewhere)
        calibration = calibration_for(self.asks, knowledge.calibration)
        return judge(evidence, knowledge.index, knowledge.index.range(self.game), calibration)

    @once
    def matched(self) -> Matched:
        """The claims whose conditions the question meets."""
        return match(self.question, self.knowledge.claims(self.game), self.knowledge.lexicon(self.game))

    @once
    def settled(self) -> Settled | None:
        """The claim that settles a yes/no question, where its passage is among those found."""
        settled = settle(self.matched)
        found = {hit.passage.id for hit in self.hits[:AMONG]}
        return settled if settled and settled.claim.passage in found else None

    @once
    def finding(self) -> Finding | None:
        """The verdict of a yes/no question, where it is settled. A situation that lacks a fact has none."""
        if isinstance(self.computed, Incomplete) or self.judgement.confidence < SETTLED_BY:
            return None
        return find_verdict(self.case, calibration_for(self.asks, self.knowledge.calibration))

    @property
    def is_weighed(self) -> bool:
        """Whether the question asks for a yes or no that no engine has computed."""
        return self.question.wants_yes_or_no and self.computed is None

    @once
    def case(self) -> Case:
        """What speaks for yes and for no."""
        says = self.hits[:1] == self.saying[:1] and self.question.wants_yes_or_no
        leanings = [self.knowledge.leaning(hit, self.question, self.vector) for hit in self.saying[:2] if says]
        return Case(self.question, self.settled, self.asks, *leanings)

    @once
    def citations(self) -> tuple[Citation, ...]:
        """What is cited, the deciding passage first."""
        saying = list(self.saying)
        term = self.bare_term
        claimed = self.finding.passage if self.finding else None
        if self.settled and not self.asks:
            # Without phrasings a claim tells best what is asked about, whether or not it makes a verdict sure enough.
            claimed = self.settled.claim.passage
        if term:
            saying.sort(key=lambda hit: hit.passage.id not in term.see)
        elif claimed:
            saying.sort(key=lambda hit: hit.passage.id != claimed)
        ordered = self.in_precedence(saying)[: self.options.k]
        return tuple(self.cite(hit) for hit in ordered)

    def in_precedence(self, hits: list[Hit]) -> list[Hit]:
        """The hits in order, each replaced passage behind what replaces it (or before, as printed)."""
        printed = self.options.as_printed or self.question.asks_for_printed
        ordered: list[Hit] = []
        for hit in hits:
            partners = hit.passage.supersedes if printed else hit.passage.superseded_by
            for partner in partners:
                if all(other.passage.id != partner for other in ordered):
                    ordered.append(
                        next((h for h in hits if h.passage.id == partner), None) or self.hit_of(partner, hit)
                    )
            if all(other.passage.id != hit.passage.id for other in ordered):
                ordered.append(hit)
        return ordered

    def hit_of(self, passage_id: str, like: Hit) -> Hit:
        """A hit for a passage that ranks beside another."""
        number = self.knowledge.index.number(passage_id)
        assert number is not None
        return Hit(number, self.knowledge.index.passage(number), like.score, like.parts)

    def cite(self, hit: Hit) -> Citation:
        span = self.knowledge.retriever.deciding(self.question, self.vector, hit)
        return cite(hit.passage, span, round(max(0.0, min(1.0, hit.score)), 4))

    def answer(self) -> Answer:
        if isinstance(self.computed, Computed):
            return self.computed_answer(self.computed)
        if self.is_silent:
            return self.silence(self.game)
        return self.quoted()

    @once
    def bare_term(self) -> Passage | None:
        """The word that is all the question says (`tired?`), which the rules use and leave undefined.

        Where they use it is all there is to tell of it; `what does Tired do` asks for more, and is met with silence.
        """
        said = " ".join(_WORDS.findall(self.question.text.casefold()))
        for passage in self.knowledge.passages(self.game):
            if passage.kind == "undefined" and said in {name.casefold() for name in (passage.title, *passage.aliases)}:
                found = {hit.passage.id for hit in self.saying}
                return passage if found & set(passage.see) else None
        return None

    @once
    def is_silent(self) -> bool:
        """Whether nothing found settles the question; a claim that the rules leave open speaks for itself."""
        if self.settled is None and self._is_open:
            return True
        return self.judgement.silent and self.bare_term is None

    @property
    def _is_open(self) -> bool:
        """Whether the question is about what the rules do not say, by a claim."""
        claim = left_open(self.matched)
        passage = self.knowledge.passage(claim.passage) if claim else None
        return passage is not None and passage.kind in SAYS_NOTHING

    @once
    def computed(self) -> Computed | Incomplete | None:
        """The question as a situation that the engine has run, or that lacks a fact; None where it tells none."""
        proofs = self.knowledge.proofs(self.game, self.options.as_printed)
        return compute(self.question.text, self.game, proofs.rules)

    def computed_answer(self, computed: Computed) -> Answer:
        """An answer that the engine computed: its citations are the clauses that acted, the deciding one first."""
        cited = [self.hit_by_id(id_) for id_ in computed.clauses]
        citations = [self.cite(hit) for hit in self.in_precedence([hit for hit in cited if hit])]
        others = [hit for hit in self.saying if hit.passage.id not in computed.clauses]
        others = others[: max(0, self.options.k - len(citations))]
        proofs = self.knowledge.proofs(self.game, self.options.as_printed)
        ids = [citation.passage for citation in citations]
        return Answer(
            question=self.asked.text,
            game=self.game,
            status=COMPUTED,
            text=computed.text,
            citations=(*citations, *map(self.cite, others)),
            verdict=computed.found.verdict,
            value=computed.found.value,
            unit=computed.found.unit,
            confidence=COMPUTED_CONFIDENCE,
            reading=Reading(computed.says, computed.procedure, dict(computed.verdict.given)),
            steps=tuple(
                AnswerStep(step.clause, self.title(step.clause), step.says, dict(step.values))
                for step in computed.verdict.steps
            ),
            examples=proofs.of(ids),
            borne_out={id_: proofs.rulings[id_] for id_ in ids if id_ in proofs.rulings},
            did_you_mean=self.did_you_mean,
            explain=self.explanation(),
        )

    def title(self, passage_id: str) -> str:
        passage = self.knowledge.passage(passage_id)
        return passage.title if passage else passage_id

    def hit_by_id(self, passage_id: str) -> Hit | None:
        """The ranked hit of a passage, or one made for it."""
        found = next((hit for hit in self.hits if hit.passage.id == passage_id), None)
        if found is not None or not self.hits:
            return found
        number = self.knowledge.index.number(passage_id)
        return None if number is None else self.hit_of(passage_id, self.hits[0])

    def quoted(self) -> Answer:
        """An answer by quotation, with a verdict where one is settled."""
        finding = self.finding
        citations = self.citations
        ids = [citation.passage for citation in citations[:2]]
        proofs = self.knowledge.proofs(self.game, self.options.as_printed)
        first = citations[0]
        start, end = first.deciding
        return Answer(
            question=self.asked.text,
            game=self.game,
            status=ANSWERED,
            text=first.quote[start:end] or first.quote,
            citations=citations,
            verdict=finding.verdict if finding else None,
            confidence=round(self.judgement.confidence, 3),
            reading=self.read_as(finding) if finding and finding.says else None,
            missing=self.computed.missing if isinstance(self.computed, Incomplete) else (),
            undefined=self.undefined,
            examples=proofs.of(ids, finding.example if finding else None),
            borne_out={id_: proofs.rulings[id_] for id_ in ids if id_ in proofs.rulings},
            did_you_mean=self.did_you_mean,
            explain=self.explanation(),
        )

    def read_as(self, finding: Finding) -> Reading:
        """What the question was taken for, with the input that proves it: the worked example's, if there is one."""
        proofs = self.knowledge.proofs(self.game, self.options.as_printed)
        outcome = proofs.outcomes.get(finding.example) if finding.example else None
        if outcome is None or outcome.verdict is None:
            return Reading(finding.says)
        return Reading(finding.says, outcome.example.procedure, dict(outcome.example.given))

    @property
    def undefined(self) -> str:
        """What to know of the question's own words: the rules leave them undefined, or do not have them."""
        if self.bare_term:
            return _first_line(self.bare_term)
        game = self.knowledge.game(self.game)
        texts = ["\n".join((p.title, p.text, *p.aliases)) for p in (hit.passage for hit in self.hits)]
        strange = absent(self.asked.text, [*texts, game.title, *game.aliases])
        return f"These rules do not have: {', '.join(strange)}." if strange else ""

    def silence(self, game: str | None) -> Answer:
        """No answer: what is missing, and the nearest passages as such."""
        return Answer(
            question=self.asked.text,
            game=game,
            status=SILENT,
            text="The rules here are silent on this.",
            nearest=self.citations[:PER_GAME],
            confidence=round(self.judgement.confidence, 3),
            missing=self.missing(),
            did_you_mean=self.did_you_mean,
            explain=self.explanation(),
        )

    def missing(self) -> tuple[str, ...]:
        """What the corpus would have to say."""
        found = list(self.computed.missing) if isinstance(self.computed, Incomplete) else []
        gaps = [hit.passage for hit in self.hits if hit.passage.kind in SAYS_NOTHING]
        best = self.hits[0].score if self.hits else 0.0
        for hit in self.hits:
            if hit.passage in gaps and hit.score >= best - 0.1 and hit.score > 0.45:
                found.append(_first_line(hit.passage))
        unknown = self.knowledge.unknown_words(self.question, self.game)
        if unknown:
            found.append(f"these words stand nowhere in this game's rules: {', '.join(unknown[:6])}")
        return tuple(found[:3]) or ("no passage of this game's rules settles it",)

    def explanation(self) -> dict[str, Any] | None:
        if not self.options.explain:
            return None
        return {
            "hits": self.knowledge.retriever.explain(self.hits),
            "signals": dict(self.judgement.signals),
            "read_as": self.question.text,
        }


_WORDS = re.compile(r"[\w'’-]+")


def _first_line(passage: Passage) -> str:
    return passage.text.partition("\n")[0]
