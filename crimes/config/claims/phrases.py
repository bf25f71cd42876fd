"""The phrases that make a claim, as data. A new one is one entry.

In a pattern a space is any white space and an apostrophe any apostrophe. Whole words match, in any case.
"""

from __future__ import annotations

from msgspec import Struct

from crimes.config.claims.kinds import Kind


class Phrase(Struct, frozen=True):
    """Words that make a claim. `name` finds its strength in the settings; without one there, the kind's counts.

    `unless_before` and `unless_after` are words that, right before or after it, make it something else.
    """

    name: str
    kind: Kind
    pattern: str
    unless_before: str = ""
    unless_after: str = ""


_HEDGE = "(?:probably|likely|possibly|perhaps|maybe|presumably|might be|may be|could be)"
_NOT = r"(?:not|n't|never|no|without|cannot|hardly|barely)(?: \w+)?"
_ASKED = r"\b(?:you|we|they|users?|developers?|contributors?|agents?|everyone|one)"
_GOOD = (
    "(?:fine|ok|okay|good|enough|safe|sufficient|working|fixed|resolved|done|correct|right|ready|able to|possible"
    "|stable|faster|better|gone|harmless|unaffected|compatible|equivalent|the same|straightforward|easy|trivial)"
)
_DONE = (
    "(?:fixed|resolved|solved|working|done|complete|completed|finished|addressed|implemented|handled|verified"
    "|covered|tested)"
)
_THINGS = (
    "(?:issues?|bugs?|errors?|problems?|tests?|checks?|files?|cases?|warnings?|failures?|tasks?|features?"
    "|requirements?|occurrences|references|usages|callers)"
)
_DESIGN = "(?:solution|approach|way|fix|design|option|choice|architecture|implementation|abstraction|pattern)"
_BETTER = "(?:faster|slower|better|smaller|cheaper|more efficient|improvement|reduction|less|more|fewer)"
_PERCENT = r"\d{1,3}(?:\.\d+)?(?: )?(?:%|percent)"

_WHAT = "(?:why|if|whether|(?:what|where|how)(?! to| (?:this|that|it|we) (?:could|would|should)))"
# What is better, and what is to be done, is an opinion; no check could settle it.
_OPINION = (
    r"[^.]{0,80}\b(?:better|preferable|nicer|cleaner|simpler|easier|worth|best|reasonable|acceptable|appropriate|readable"
    r"|sense|good|useful|right here|much to|we (?:want|would|care))\b|(?:that )?(?:the )?(?:most |many )?(?:users|people|anyone|anybody)\b"
    r"|[^.]{0,80}\b(?:can|could) be (?:avoided|dropped|improved|optimi[sz]ed|refactored|removed|replaced|simplified)\b"
    "|(?:that )?(?:I|we|you|they)(?:'d| could| can| need)|(?:that )?(?:it|this|that) (?:needs|deserves|belongs)"
    rf"|[^.]{{0,80}}\bshould\b(?! work| be {_GOOD})|about\b"
)
_PLAN = (
    r"(?:we|someone|somebody|temporary)\b"
    r"|[^.]{0,80}\b(?:in (?:the )?future|one day|some day|soon|eventually|will (?:improve|be fixed|go away))\b"
)
_SHOULD_WORK = "should (?:now |just |all |still |also |then |already )?work"
_MANNER = r"(?:on|towards?|through|closely|together|from|like|similar(?:ly)?|more like|the same)\b"

_SPECULATION = (
    Phrase(
        "not sure why",
        Kind.SPECULATION,
        f"(?:not (?:really |quite |entirely |exactly |at all )?sure|unsure) (?:{_WHAT}|this|that|it)",
        unless_before=r"\b(?:we|you|they|users?|callers?|be|is|are|if|when|we're|you're|they're)",
        unless_after=r"(?:would )?(?:anyone|anybody|someone|you)\b|[^.]{0,80}\bor (?:if|whether)\b"
        r"|[^.]{0,80}\bso (?:we|stay|assume|check|confirm|fall|just)\b"
        r"|[^.]{0,30}\b(?:worth|useful|better|a good idea|the best|(?:we|I) should)\b",
    ),
    Phrase(
        "no idea why",
        Kind.SPECULATION,
        f"no (?:idea|clue) {_WHAT}|(?:do not|don't) know why",
        unless_before=r"\b(?:we|you|they|users?|it)(?: have| has)?",
    ),
    Phrase("i think", Kind.SPECULATION, "I (?:do not |don't )?think", unless_after=_OPINION),
    Phrase("i believe", Kind.SPECULATION, "I (?:do not |don't )?believe", unless_after=_OPINION),
    Phrase("i suspect", Kind.SPECULATION, "I(?:'d| would)? suspect", unless_after=_OPINION),
    Phrase(
        "i guess",
        Kind.SPECULATION,
        "I(?:'d| would)? (?:guess|suppose|imagine)|my guess is",
        unless_after=_OPINION,
    ),
    Phrase(  # of what will happen; "a hopefully useful name" is an adjective
        "hopefully",
        Kind.SPECULATION,
        r"hopefully (?:it|this|that|they|these|those|there|nobody|nothing|none|no|not|never|the)(?:'\w+)?",
        unless_after=_PLAN,
    ),
    Phrase("hopefully", Kind.SPECULATION, "hopefully", unless_after=_PLAN),
    Phrase(  # of what was just said; "any name should work" may be a demand
        "should work",
        Kind.SPECULATION,
        rf"(?:(?:this(?: \w+)?|it|but|so|and|which) |(?<![\w,;\x01]\s)){_SHOULD_WORK}",
        unless_before=r"\b(?:how|what|why|where|that)",
        unless_after=rf"{_MANNER}|(?:with|whether|regardless|even|across|in both|for both)\b",
    ),
    Phrase("should work", Kind.SPECULATION, _SHOULD_WORK, unless_before=_ASKED, unless_after=_MANNER),
    Phrase(
        "may",
        Kind.SPECULATION,
        "may",
        unless_before=rf"{_ASKED}|\b(?:in|of|since|until|by|from)",  # permission, and the month
        unless_after=r"\d",
    ),
    Phrase("might be", Kind.SPECULATION, "might (?:be|have)"),
    Phrase("could be", Kind.SPECULATION, "could (?:be|have been)"),
    Phrase("maybe", Kind.SPECULATION, "maybe|perhaps|possibly"),
    Phrase(
        "assume",
        Kind.SPECULATION,
        "(?:I |we )?assum(?:e|es|ed|ing)",
        unless_before=r"(?:\bnot|n't|\bnever|\blet's|\blet us|\bto)",
    ),
    Phrase("seems", Kind.SPECULATION, "(?:it )?seems(?: like| to)?|(?:it )?appears (?:to|that)"),
    Phrase(
        "should be",  # a guess, not a demand: "this should be fine", never "this should be a string"
        Kind.SPECULATION,
        f"should (?:now |all |still |already |then )?be (?:all |now )?{_GOOD}",
        unless_before=_ASKED,
    ),
    Phrase("probably", Kind.SPECULATION, "probably"),
    Phrase(
        "likely",
        Kind.SPECULATION,
        "(?:most |very )?likely",
        unless_before=r"\b(?:more|less|as|not|how|equally)",
    ),
    Phrase("presumably", Kind.SPECULATION, "presumably"),
)

_CAUSALITY = (
    Phrase("hedged because", Kind.CAUSALITY, f"{_HEDGE} because(?: of)?"),
    Phrase("because", Kind.CAUSALITY, "because(?: of)?", unless_before=r"\b(?:just|only|simply|merely|not)"),
    Phrase("due to", Kind.CAUSALITY, "due to", unless_after=r"be\b"),
    Phrase("caused by", Kind.CAUSALITY, "caused by"),
    Phrase(
        "the root cause",
        Kind.CAUSALITY,
        "(?:the|its|this) root cause|the (?:real|actual|underlying) cause",
        unless_before=r"\b(?:find|fix|identify|determine|understand|address|for)",
    ),
    Phrase(
        "that is why",
        Kind.CAUSALITY,
        "(?:stems|results|resulted) from|is the reason|that is why|that's why|which (?:is why|explains)",
    ),
)

_QUANTITY = (
    Phrase(
        "out of ten",
        Kind.QUANTITY,
        r"\d{1,2}(?:\.\d)?(?:/| out of )10(?![/\d]|\.\d)",
        unless_before="[/.-]",
        unless_after=rf"(?:{_THINGS}|steps?|items?|of)\b",
    ),
    Phrase(
        "percent sure", Kind.QUANTITY, f"{_PERCENT} (?:sure|certain|confident|confidence|likely|{_BETTER})"
    ),
    Phrase(
        "about percent",
        Kind.QUANTITY,
        f"(?:about|around|roughly|nearly|almost|approximately) {_PERCENT}",
    ),
    Phrase("times faster", Kind.QUANTITY, rf"\d+(?:\.\d+)?(?:x| times) {_BETTER}"),
)

_COMPLETENESS = (
    Phrase(
        "fully fixed",
        Kind.COMPLETENESS,
        f"(?:fully|completely|entirely) (?:{_DONE}|functional|operational|compatible|correct)",
        unless_before=_NOT,
    ),
    Phrase(
        "everything works",
        Kind.COMPLETENESS,
        f"everything (?:now )?works|everything (?:is|has been) (?:now )?(?:{_DONE}|fine|ok|okay|in place)",
    ),
    Phrase(
        "all tests pass",
        Kind.COMPLETENESS,
        "all (?:of )?(?:the )?(?:unit |existing |other |new )?(?:tests?|checks|suites) (?:now |still )?"
        "(?:pass|passed|passing|are (?:now )?(?:passing|green))",
    ),
    Phrase(
        "all fixed",
        Kind.COMPLETENESS,
        rf"all (?:of )?(?:the )?(?:\w+ )?{_THINGS} (?:have been|are|were) (?:now )?{_DONE}|all (?:fixed|resolved)",
    ),
    Phrase(
        "none left",
        Kind.COMPLETENESS,
        f"no (?:remaining|further|more|other|outstanding) {_THINGS}|no {_THINGS} (?:found|remain|left)",
    ),
    Phrase(
        "production-ready",
        Kind.COMPLETENESS,
        "comprehensive (?:analysis|review|fix|solution|coverage)|(?:production|battle)(?:-| )(?:ready|tested)",
        unless_before=_NOT,
    ),
)

_EVALUATION = (
    Phrase(
        "the best way",
        Kind.EVALUATION,
        "the (?:cleanest|simplest|best|safest|most (?:elegant|robust|natural|idiomatic)|obvious|right|proper|ideal)"
        rf" (?:and \w+ )?{_DESIGN}",
        unless_before=_NOT,
    ),
    Phrase(
        "elegant solution",
        Kind.EVALUATION,
        rf"(?:clean|elegant|robust|solid|well(?:-| )designed|future(?:-| )proof)(?:,? (?:and )?\w+)? {_DESIGN}",
        unless_before=_NOT,
    ),
)

_ABSENCE = (
    Phrase(
        "there is no",
        Kind.ABSENCE,
        "there (?:is|are|was|were) (?:currently )?no(?! (?:need|way|reason|point|doubt|longer|one|guarantee))"
        "|there (?:isn't|aren't|is not|are not) any",
    ),
    Phrase("does not exist", Kind.ABSENCE, "(?:does not|doesn't|do not|don't) (?:currently )?exist"),
    Phrase(
        "could not find", Kind.ABSENCE, "(?:I|we) (?:could not|couldn't|cannot|can't|did not|didn't) find"
    ),
    Phrase(
        "not used anywhere",
        Kind.ABSENCE,
        "(?:not|never|n't) (?:used|referenced|called|defined|imported|mentioned) (?:anywhere|elsewhere)"
        "|nowhere (?:else )?in the (?:code|codebase|repo|repository|project)"
        "|nothing (?:else )?(?:uses|calls|imports|references)",
    ),
)

_BEHAVIOUR = (
    Phrase(
        "it works",
        Kind.BEHAVIOUR,
        "(?:it|this|that|the (?:fix|change|code|patch|feature|build)) (?:now |just )?works"
        "(?: now| fine| as expected| correctly| perfectly)?"
        "|works (?:fine|as expected|correctly|perfectly|flawlessly)",
        unless_before=rf"{_NOT}|\b(?:how|way|what)",
    ),
    Phrase(
        "is fixed",
        Kind.BEHAVIOUR,
        "(?:is|are|was|were|has been|have been) (?:now |already )?(?:fixed|resolved|solved)",
        unless_before=_NOT,
        unless_after=r"(?:in|by|at|to|on|for|as|from|via|with|against|relative|size|width|length)\b",
    ),
    Phrase(  # the whole sentence
        "done",
        Kind.BEHAVIOUR,
        "fixed|done|resolved|solved",
        unless_before=r"\w\W*",
        unless_after=r"\W*\w",
    ),
    Phrase(
        "will fix",
        Kind.BEHAVIOUR,
        "(?:this|that|it|which) (?:will|should) (?:now )?(?:fix|solve|resolve|prevent|eliminate)",
    ),
    Phrase(
        "i tested",
        Kind.BEHAVIOUR,
        "I(?:'ve| have)? (?:tested|verified|confirmed|checked) (?:it|this|that|everything|all)",
    ),
    Phrase(
        "definitely",
        Kind.BEHAVIOUR,
        "definitely|undoubtedly|without (?:a |any )?doubt|guaranteed to",
        unless_before=r"\bnot",
    ),
)

PHRASES = (
    *_SPECULATION,
    *_CAUSALITY,
    *_QUANTITY,
    *_COMPLETENESS,
    *_EVALUATION,
    *_ABSENCE,
    *_BEHAVIOUR,
)
