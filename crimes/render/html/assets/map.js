// The page as a whole: controls, address and drawing. The address holds the state, and everything is drawn from it.

const ROLE_NAMES = { source: "Source", script: "Scripts", test: "Tests", generated: "Generated", vendored: "Vendored", docs: "Documents", example: "Examples", config: "Configuration" };

function fillSelect(id, options) {
  const select = byId(id);
  select.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
  byId(`${id}-field`).hidden = options.length < 2;
}

function setUpControls() {
  const roles = [...new Set(files.map((file) => file.role).filter(Boolean))].sort();
  const several = data.layouts.all ? [["code", "Source and scripts"], ["all", "All files"]] : [["code", "All files"]];
  fillSelect("role", [...several, ...(roles.length > 1 ? roles.map((role) => [role, ROLE_NAMES[role] || role]) : [])]);
  const languages = [...new Set(files.map((file) => file.language).filter(Boolean))].sort();
  fillSelect("language", languages.length > 1 ? [["", "All"], ...languages.map((name) => [name, name])] : [["", "All"]]);
  const levels = SEVERITIES.filter((_, at) => files.some((file) => file.worst === at));
  fillSelect("severity", levels.length ? [["", "All files"], ["high", "High"], ["medium", "Medium or worse"], ["low", "Any finding"]] : [["", "All files"]]);
  for (const id of ["colour", "role", "language", "severity"]) {
    byId(id).addEventListener("change", (event) => writeState({ [id]: event.target.value === { colour: data.colouring, role: "code" }[id] ? "" : event.target.value }));
  }
  byId("search").addEventListener("input", (event) => writeState({ q: event.target.value }));
}

function showControls(state, view) {
  byId("colour").value = view.colour;
  byId("role").value = view.role;
  byId("language").value = state.language || "";
  byId("severity").value = state.severity || "";
  if (document.activeElement !== byId("search")) byId("search").value = state.q || "";
}

function showCrumbs(view) {
  const trail = [];
  for (let at = view.folder.number; at >= 0; at = folders[at].parent) trail.unshift(folders[at]);
  const parts = trail.map((folder, at) => {
    const name = folder.number ? shortText(folder.name, 60) : REPOSITORY;
    if (at === trail.length - 1) return el("span", { "aria-current": "location" }, name);
    return linkButton(name, () => writeState({ folder: folder.path, file: "" }, true));
  });
  byId("crumbs").replaceChildren(...parts.flatMap((part, at) => (at ? [el("span", { class: "muted" }, " / "), part] : [part])));
}

function limitText(value) {
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(1);
}

function showLegend(view) {
  const legend = byId("legend");
  const colouring = colourings.get(view.colour);
  const without = legendEntry("none", colouring.without);
  if (view.colour === "owner") {
    const names = data.people.slice(0, data.owners).map((name, at) => legendEntry(`owner-${at}`, shortText(name, 40)));
    const others = files.some((file) => file.owner >= data.owners) ? [legendEntry("owner-other", "others")] : [];
    legend.replaceChildren(...names, ...others, without);
    return;
  }
  if (view.colour === "gap") {
    const gaps = Object.keys(GAPS).map(Number).sort().map((gap) => legendEntry(colourOf({ gap }, "gap"), GAPS[gap]));
    legend.replaceChildren(...gaps, without);
    return;
  }
  const limits = data.limits[view.colour];
  const lowest = limits.length === 0 ? "0" : limits[0] === 1 ? "none" : `under ${limitText(limits[0])}`;
  const used = limits.length ? [...new Set([...limits.keys(), limits.length].map((at) => Math.round((at * 7) / limits.length)))] : [0];
  const swatches = used.map((step, at) => {
    const text = at === 0 ? lowest : at === limits.length ? `${limitText(limits[at - 1])} or more` : `${limitText(limits[at - 1])} to ${limitText(limits[at])}`;
    return el("span", { class: `swatch step-${step}`, title: text });
  });
  const highest = limits.length ? `${limitText(limits[limits.length - 1])} or more${colouring.unit ? ` ${colouring.unit}` : ""}` : "";
  legend.replaceChildren(el("span", { class: "scale" }, el("span", {}, lowest), swatches, el("span", {}, highest)), without);
}

const REMARKS = {
  risk: "Area is lines of code. Edit risk: how likely the next fix is going to be in a file, from its size, complexity, recent commits and past fixes.",
  complexity: "Area is lines of code. Cognitive complexity, summed over the functions of a file.",
  commits: `Area is lines of code. Commits in ${DAYS_90}.`,
  fixes: `Area is lines of code. Commits in ${YEAR} that call themselves a fix.`,
  gap: "Area is lines of code. Whether a test imports the file, or has its name.",
  reach: "Area is lines of code. Files that reach a file over imports.",
  owner: "Area is lines of code. The first owner that CODEOWNERS names, else the author of most commits.",
  age: `Area is lines of code. Days since the last change, in the three years before ${UNTIL}.`,
};

let drawn = "";

function drawPage() {
  const state = readState();
  const view = viewOf(state);
  const had = treemapRoom.contains(document.activeElement);
  showControls(state, view);
  showCrumbs(view);
  showLegend(view);
  const withheld = data.withheld.edit_risk ? `No edit risk: ${data.withheld.edit_risk}. ` : "";
  byId("map-remark").textContent = withheld + REMARKS[view.colour];
  drawTreemap(view);
  if (had) focusCell(focused);
  showPanel(view);
  const { theme: _, file: __, ...rest } = state;
  const filters = JSON.stringify(rest);
  if (filters !== drawn) {
    drawn = filters;
    drawFiles(view);
  }
  byId("announcement").textContent = view.file ? `Opened ${view.file.path}` : `${view.folder.path || REPOSITORY}: ${count(cells.length, "item")}`;
}

function setUpSections() {
  const links = [...document.querySelectorAll("nav.sections a")];
  for (const link of links) {
    link.addEventListener("click", (event) => {
      // The address holds the state, so a section is gone to without it.
      event.preventDefault();
      const section = byId(link.getAttribute("href").slice(1));
      section.scrollIntoView();
      section.focus({ preventScroll: true });
    });
  }
  const mark = (entries) => {
    for (const entry of entries) {
      const link = links.find((item) => item.getAttribute("href") === `#${entry.target.id}`);
      if (link && entry.isIntersecting) {
        for (const other of links) other.removeAttribute("aria-current");
        link.setAttribute("aria-current", "true");
      }
    }
  };
  const observer = new IntersectionObserver(mark, { rootMargin: "-20% 0px -70% 0px" });
  for (const section of document.querySelectorAll("main > section")) observer.observe(section);
}

setUpSections();
setUpGraph();
if (findings.some((finding) => !finding.place)) drawFindings();
if (files.length) {
  setUpControls();
  setUpTreemap();
  onState(drawPage);
  drawPage();
  let width = treemapRoom.clientWidth;
  new ResizeObserver(() => {
    if (treemapRoom.clientWidth === width) return;
    width = treemapRoom.clientWidth;
    drawTreemap(viewOf(readState()));
  }).observe(treemapRoom);
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    stepBack();
    focusCell(focused);
  });
}
