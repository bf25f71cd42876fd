// Code on the page: coloured a little, always as text. One pattern serves all languages well enough for a few lines.

const WORDS = new Set(
  ("abstract and as assert async await begin bool boolean break case catch char class const continue data def default defer del do double elif else elsif end " +
    "ensure enum except export extends false final finally float fn for foreach from fun func function global go goto guard if impl implements import in include int " +
    "interface internal is lambda let long loop match mod module mut namespace new next nil none not null object of open operator or override package pass private " +
    "protected protocol pub public raise range readonly ref require rescue return self short sizeof static string struct super switch template then this throw throws " +
    "trait true try type typealias typedef typeof undefined union unless unsafe until use using val var virtual void when where while with yield").split(" "),
);
const TOKENS = /(\/\/.*$|#(?![[{]).*$|\/\*.*?(?:\*\/|$)|^\s*\*.*$)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(\b\d[\w.]*)|([A-Za-z_][\w]*)/g;

/** The parts of a line of code, as spans and text. */
function codeParts(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [token, comment, string, number, word] = match;
    const kind = comment ? "comment" : string ? "string" : number ? "number" : word && WORDS.has(word.toLowerCase()) ? "keyword" : "";
    if (!kind) continue;
    parts.push(text.slice(end, match.index), el("span", { class: `token-${kind}` }, token));
    end = match.index + token.length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== "");
}

/** The code of a finding with line numbers; the lines it is about are marked. */
function codeFrame([first, lines, marked]) {
  const rows = lines.map((text, at) =>
    el("span", { class: marked.includes(first + at) ? "row hit" : "row" }, el("span", { class: "line-number" }, first + at), codeParts(text), "\n"),
  );
  return el("pre", { class: "code", tabindex: "0", "aria-label": `Code from line ${first}` }, rows);
}
