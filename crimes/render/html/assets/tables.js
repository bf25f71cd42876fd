// Tables that sort, and grow as they are read: all files of the view, and findings grouped by type.

const PAGE_ROWS = 50;

/** A table over rows; columns are {title, value, cell, number}. `name` tells it from the other tables; `order` is [column, -1 or 1] and changes when a heading is pressed. */
function sortedTable({ name, caption, columns, rows, order, onOrder, details }) {
  const [by, direction] = order;
  const value = columns[by].value;
  const compare = (a, b) => {
    const left = value(a), right = value(b);
    if (left === right) return 0;
    if (left === null || left === undefined) return 1;
    if (right === null || right === undefined) return -1;
    return (left < right ? -1 : 1) * direction;
  };
  const sorted = [...rows].sort(compare);
  const headings = columns.map((column, at) => {
    const heading = `${name}:${at}`;
    const button = el("button", { type: "button", "data-heading": heading }, column.title);
    button.addEventListener("click", () => {
      onOrder([at, at === by ? -direction : column.number ? -1 : 1]);
      // The table was drawn anew: whoever pressed a key is still on this heading.
      [...document.querySelectorAll("th button")].find((other) => other.dataset.heading === heading)?.focus({ preventScroll: true });
    });
    const sort = at === by ? (direction > 0 ? "ascending" : "descending") : null;
    return el("th", { scope: "col", class: column.number ? "number" : null, "aria-sort": sort }, button);
  });
  const body = el("tbody");
  const table = el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, headings)), body);
  const box = el("div", {}, el("div", { class: "scroll" }, table));
  let shown = 0;
  const more = el("button", { type: "button", class: "plain more" }, "Show more");
  const grow = (number) => {
    for (const row of sorted.slice(shown, shown + number)) {
      body.append(el("tr", {}, columns.map((column, at) => el(at ? "td" : "th", { class: column.number ? "number" : column.text ? "text" : null, scope: at ? null : "row" }, column.cell(row)))));
      if (details) body.append(el("tr", { class: "details-row" }, el("td", { colspan: columns.length }, details(row))));
    }
    shown = Math.min(shown + number, sorted.length);
    more.hidden = shown >= sorted.length;
    more.textContent = `Show more (${(sorted.length - shown).toLocaleString("en")} left)`;
  };
  more.addEventListener("click", () => grow(200));
  grow(PAGE_ROWS);
  box.append(more);
  return box;
}

const plainNumber = (value) => (value === null || value === undefined ? "" : value.toLocaleString("en"));
const FILE_COLUMNS = [
  { title: "File", value: (file) => file.path, cell: (file) => toMapButton(file) },
  { title: "Edit risk", number: true, value: (file) => file.risk, cell: (file) => (file.risk === null ? "" : file.risk.toFixed(1)) },
  { title: "Fix within six months", value: (file) => (file.rank ? -file.rank : null), cell: (file) => file.band },
  { title: "Lines", number: true, value: (file) => file.lines, cell: (file) => plainNumber(file.lines) },
  { title: "Complexity", number: true, value: (file) => file.complexity, cell: (file) => plainNumber(file.complexity) },
  { title: "Recent commits", number: true, value: (file) => file.commits, cell: (file) => plainNumber(file.commits) },
  { title: "Recent fixes", number: true, value: (file) => file.fixes, cell: (file) => plainNumber(file.fixes) },
  { title: "Test gap", number: true, value: (file) => file.gap, cell: (file) => (file.gap === null ? "" : GAPS[file.gap] || file.gap) },
  { title: "Depend on it", number: true, value: (file) => file.reach, cell: (file) => plainNumber(file.reach) },
  { title: "Age, days", number: true, value: (file) => file.age, cell: (file) => plainNumber(file.age) },
  { title: "Findings", number: true, value: (file) => file.findings.length, cell: (file) => file.findings.length || "" },
];
let fileOrder = data.ranked ? [1, -1] : [3, -1];

/** The path as a button that opens the file beside the map. */
function toMapButton(file, text) {
  return linkButton(breakable(text || shortText(file.path, 200)), () => {
    writeState({ file: file.path }, true);
    byId("map").scrollIntoView();
    panel.focus({ preventScroll: true });
  }, { class: "link path", "data-path": file.path });
}

function drawFiles(view) {
  const room = byId("files-table");
  if (!room) return;
  const rows = files.filter((file) => view.matches(file) && isInside(file, view.folder));
  if (!rows.length) {
    room.replaceChildren(el("p", { class: "empty" }, "No file matches."));
    return;
  }
  const where = view.folder.number ? ` in ${shortText(view.folder.path, 120)}` : "";
  room.replaceChildren(
    sortedTable({
      name: "files",
      caption: `${count(rows.length, "file")}${where}`,
      columns: FILE_COLUMNS.filter((column) => rows.some((file) => column.cell(file) !== "" )),
      rows,
      order: fileOrder,
      onOrder: (order) => {
        fileOrder = order;
        drawFiles(viewOf(readState()));
      },
    }),
  );
}

const FINDING_COLUMNS = [
  { title: "Place", value: (finding) => finding.path, cell: (finding) => (finding.known ? toMapButton(finding.known, `${shortText(finding.path, 160)}:${finding.line}`) : el("span", { class: "path" }, `${shortText(finding.path, 160)}:${finding.line}`)) },
  { title: "Severity", value: (finding) => SEVERITIES.indexOf(finding.severity), cell: (finding) => el("span", { class: `chip ${finding.severity}` }, finding.severity) },
  { title: "What is there", text: true, value: (finding) => finding.fact, cell: (finding) => prose(finding.fact) },
  { title: "Confidence", value: (finding) => ["strong", "moderate", "weak", "negligible"].indexOf(finding.confidence), cell: (finding) => finding.confidence },
  { title: "agent_risk", number: true, value: (finding) => finding.risk, cell: (finding) => (finding.risk === null ? "" : finding.risk.toFixed(2)) },
];
let findingOrder = [4, -1];
const findingFilter = { text: "", severity: "" };
const closedTypes = new Set();

function typePage(page) {
  if (!page.page.length) return null;
  return el("details", { class: "about" }, el("summary", {}, "About this type"), page.page.map(([title, texts]) => [el("h3", {}, title), texts.map((text) => el("p", {}, prose(text.replace(/^- /, "• "))))]));
}

function drawFindings() {
  const list = byId("findings-list");
  const shown = findings.filter(
    (finding) =>
      !finding.place &&
      (!findingFilter.severity || finding.severity === findingFilter.severity) &&
      (!findingFilter.text || `${finding.path} ${finding.fact} ${finding.type} ${finding.id}`.toLowerCase().includes(findingFilter.text)),
  );
  const groups = new Map();
  for (const finding of shown) groups.set(finding.type, [...(groups.get(finding.type) || []), finding]);
  const sections = [...groups].map(([type, rows]) => {
    const page = data.types[type];
    const counts = SEVERITIES.map((level) => [level, rows.filter((finding) => finding.severity === level).length]).filter(([, number]) => number);
    const box = el(
      "details",
      { class: "type card", open: !closedTypes.has(type) },
      el("summary", {}, el("strong", {}, page.title), " ", el("code", { class: "muted" }, type), " ", counts.map(([level, number]) => [el("span", { class: `chip ${level}` }, `${number} ${level}`), " "])),
      typePage(page),
      sortedTable({
        name: type,
        caption: count(rows.length, "finding"),
        columns: FINDING_COLUMNS,
        rows,
        order: findingOrder,
        onOrder: (order) => {
          findingOrder = order;
          drawFindings();
        },
        details: (finding) => el("details", {}, el("summary", { class: "muted" }, "Code, reason, ignore"), findingDetails(finding)),
      }),
    );
    box.addEventListener("toggle", () => (box.open ? closedTypes.delete(type) : closedTypes.add(type)));
    return box;
  });
  const rest = list.querySelector(".groups") || el("div", { class: "groups" });
  rest.replaceChildren(...(sections.length ? sections : [el("div", { class: "card" }, el("p", { class: "empty" }, "No finding matches."))]));
  if (!rest.isConnected) list.replaceChildren(findingControls(), rest);
}

function findingControls() {
  const text = el("input", { type: "search", placeholder: "path, text, type or id", autocomplete: "off", id: "findings-search" });
  text.addEventListener("input", () => {
    findingFilter.text = text.value.toLowerCase();
    drawFindings();
  });
  const severity = el("select", { id: "findings-severity" }, el("option", { value: "" }, "All"), SEVERITIES.map((level) => el("option", { value: level }, level)));
  severity.addEventListener("change", () => {
    findingFilter.severity = severity.value;
    drawFindings();
  });
  return el("div", { class: "controls no-print" }, el("label", { class: "field grow" }, "Filter", text), el("label", { class: "field" }, "Severity", severity));
}
