// What stands beside the map: the chosen file, or the files that stand out in the folder.

const panel = byId("panel");
const TERMS = ["Length", "Complexity", "Recent commits", "Past fixes"];
const MAX_LISTED = 12; // of importers and the like, before "show all"

function ordinal(number) {
  const teen = number % 100 > 10 && number % 100 < 14;
  return number.toLocaleString("en") + (teen ? "th" : { 1: "st", 2: "nd", 3: "rd" }[number % 10] || "th");
}

function fileButton(file, text) {
  return linkButton(breakable(text || file.path), () => {
    writeState({ file: file.path }, true);
    panel.focus();
  }, { class: "link path", "data-path": file.path });
}

/** A part of the panel; nothing without content. */
function part(title, ...content) {
  const inside = content.flat().filter(Boolean);
  return inside.length ? el("div", { class: "part" }, el("h3", {}, title), inside) : null;
}

/** Files as a list, the first few and a button for the rest. */
function fileList(numbers, note) {
  if (!numbers.length) return null;
  const list = el("ul", { class: "file-list" });
  const add = (from, to) => numbers.slice(from, to).forEach((number, at) => list.append(el("li", {}, fileButton(files[number]), note ? el("span", { class: "muted" }, ` ${note(from + at)}`) : null)));
  add(0, MAX_LISTED);
  if (numbers.length <= MAX_LISTED) return list;
  const more = linkButton(`Show all ${numbers.length.toLocaleString("en")}`, () => {
    add(MAX_LISTED, numbers.length);
    more.remove();
  });
  return [list, more];
}

function measure(name, text, share, className) {
  return el("div", { class: "measure" }, el("span", {}, name), el("span", { class: "number muted" }, text), bar(share, className));
}

function riskPart(file) {
  if (file.risk === null) {
    const why = data.withheld.edit_risk;
    if (why) return part("Edit risk", el("p", { class: "muted" }, `Withheld: ${why}.`));
    return CODE_ROLES.has(file.role) ? null : part("Edit risk", el("p", { class: "muted" }, `Not ranked: a ${file.role} file.`));
  }
  const raw = [
    count(file.lines, "line") + " of code",
    `cognitive complexity ${file.complexity.toLocaleString("en")}`,
    count(file.year, "commit"),
    count(file.fixes, "fix", "fixes"),
  ];
  const most = Math.max(...file.terms, 1);
  return part(
    "Edit risk",
    el("p", { class: "big" }, file.risk.toFixed(1), el("small", {}, ` ${ordinal(file.rank)} of ${data.ranked.toLocaleString("en")}`)),
    el("p", {}, file.band ? `${data.bands[file.band].replace(/^./, (first) => first.toUpperCase())} within six months.` : "History is limited: the rank rests on what is visible."),
    TERMS.map((name, at) => measure(`${name}`, `${raw[at]} · ${file.terms[at].toFixed(2)}`, file.terms[at] / most)),
    el("p", { class: "muted small" }, `Commits and fixes in ${YEAR}.`),
  );
}

function profilePart(file) {
  const rows = [];
  if (file.commits !== null) rows.push(measure("Churn", count(file.commits, "commit"), file.commits / 20));
  if (file.gap !== null) rows.push(measure("Test gap", GAPS[file.gap] || String(file.gap), file.gap));
  if (file.reach !== null) rows.push(measure("Blast radius", `${count(file.reach, "file")} depend on it`, file.reach / 50));
  if (file.commits !== null) rows.push(el("p", { class: "muted small" }, `Commits in ${DAYS_90}.`));
  return part("Risk profile", rows);
}

/** One finding with its code, why, what to do, and how to ignore it. */
function findingDetails(finding) {
  const content = [];
  if (finding.frame) content.push(codeFrame(finding.frame));
  if (finding.why) content.push(el("p", {}, prose(finding.why)));
  if (finding.fix) content.push(el("p", {}, el("strong", {}, "What to do: "), prose(finding.fix)));
  for (const [path, line, note] of finding.related || []) {
    const other = fileByPath.get(path);
    content.push(el("p", { class: "small" }, other ? fileButton(other, `${path}:${line}`) : el("span", { class: "path" }, `${path}:${line}`), note ? ` ${note}` : ""));
  }
  const command = `crimes ignore ${finding.id} --reason "..."`;
  content.push(el("div", { class: "command" }, el("code", {}, command), copyButton(command)));
  return content;
}

function findingsPart(file) {
  const items = file.findings.map((finding) =>
    el(
      "details",
      { class: "finding", open: file.findings.length < 4 },
      el("summary", {}, el("span", { class: `chip ${finding.severity}` }, finding.severity), " ", prose(finding.fact), el("span", { class: "muted" }, ` line ${finding.line}, ${finding.type}`)),
      findingDetails(finding),
    ),
  );
  const facts = file.places.map((fact) => el("p", { class: "small" }, prose(fact.fact)));
  return [part(file.findings.length ? `Findings (${file.findings.length})` : "Findings", items), part("Facts about this place", facts)];
}

function testsPart(file) {
  const command = file.command === null || file.command === undefined ? "" : data.commands[file.command];
  const note = file.commandNote === null || file.commandNote === undefined ? "" : data.commands[file.commandNote];
  return part(
    "Tests",
    file.ownTests ? el("p", { class: "small" }, "The file holds its own tests.") : null,
    fileList(file.tests),
    command ? el("div", { class: "command" }, el("code", {}, command), copyButton(command)) : null,
    note ? el("p", { class: "small muted" }, note) : null,
    !file.tests.length && !file.ownTests && file.gap === 1 ? el("p", { class: "small muted" }, "No test imports it or has its name.") : null,
  );
}

function ownersPart(file) {
  const rows = [];
  if (file.codeowners.length) rows.push(el("li", {}, file.codeowners.map((owner) => data.people[owner]).join(", "), el("span", { class: "muted" }, " CODEOWNERS")));
  for (const [person, commits, share] of file.authors) {
    rows.push(el("li", {}, data.people[person], el("span", { class: "muted" }, ` ${count(commits, "commit")}, ${Math.round(share * 100)}%`)));
  }
  return part("Owners", rows.length ? el("ul", { class: "file-list" }, rows) : null);
}

function pastPart(file) {
  if (!file.months.length) return null;
  const fixes = file.fixCommits.map((number) => {
    const [date, sha, subject] = data.fixes[number];
    return el("li", {}, el("span", { class: "muted" }, `${date} `), subject, el("span", { class: "muted" }, ` ${sha}`));
  });
  return part(
    "Twelve months",
    monthsChart(file),
    el("p", { class: "legend small" }, legendEntry("commits-swatch", "commits"), legendEntry("fixes-swatch", "fixes")),
    fixes.length ? el("details", {}, el("summary", {}, "Latest fixes"), el("ul", { class: "file-list" }, fixes)) : null,
  );
}

function showFile(file) {
  const close = el("button", { type: "button", class: "plain", "aria-label": "Close the file" }, "Close");
  close.addEventListener("click", () => {
    stepBack();
    focusCell(focused);
  });
  const chips = [file.language, file.role].filter(Boolean).map((text) => el("span", { class: "chip" }, text));
  panel.replaceChildren(
    ...[
      el("div", { class: "panel-head" }, el("div", {}, el("h3", { class: "panel-title" }, shortText(file.name, 80)), el("p", { class: "path muted" }, breakable(shortText(file.path, 300))), el("p", {}, chips.flatMap((chip) => [chip, " "]))), close),
      riskPart(file),
      profilePart(file),
      ...findingsPart(file),
      pastPart(file),
      part(`Used by (${file.importers.length})`, fileList(file.importers)),
      part(`Imports (${file.imports.length})`, fileList(file.imports)),
      part("Changes together with", fileList(file.companions.map(([other]) => other), (at) => (file.companions[at][2] ? `in ${file.companions[at][1]} of ${file.companions[at][2]} commits` : "its test"))),
      testsPart(file),
      ownersPart(file),
    ].filter(Boolean),
  );
}

/** Without a file: those that stand out in the folder by the present colour. */
function showFolder(view) {
  const inside = files.filter((file) => view.matches(file) && isInside(file, view.folder));
  const colouring = view.colour === "owner" ? data.colouring : view.colour;
  const value = (file) => file[colouring] ?? -1;
  const top = inside.filter((file) => value(file) > 0).sort((a, b) => value(b) - value(a) || b.lines - a.lines || a.path.localeCompare(b.path)).slice(0, 15);
  const most = top.length ? value(top[0]) : 1;
  panel.replaceChildren(
    el("div", { class: "panel-head" }, el("div", {}, el("h3", { class: "panel-title" }, view.folder.number ? shortText(view.folder.path, 80) : REPOSITORY), el("p", { class: "muted" }, `${count(inside.length, "file")} ${view.filtered ? "match" : "shown"}`))),
    part(
      colourings.get(colouring).top,
      top.length
        ? el("ol", { class: "ranking" }, top.map((file) => el("li", {}, fileButton(file, shortText(file.path, 60)), el("div", { class: "muted small" }, valueText(file, colouring)), bar(value(file) / most, `fill-${colourOf(file, colouring)}`))))
        : el("p", { class: "muted" }, inside.length ? "Nothing stands out here." : "No file matches: change the filters or the search."),
    ),
  );
}

let panelShows = null;

function showPanel(view) {
  if (view.file) showFile(view.file);
  else showFolder(view);
  const shown = view.file || view.folder;
  if (panelShows !== shown) panel.scrollTop = 0;
  panelShows = shown;
}

/** On a narrow page the panel is below the map: a file that opened there would not be noticed. */
function bringPanelIntoSight() {
  if (panel.getBoundingClientRect().top > window.innerHeight - 160) panel.scrollIntoView();
}
