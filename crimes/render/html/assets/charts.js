// Small charts: bars of shares, and twelve months of commits and fixes.

/** A bar from 0 to 1, for the eye only: the number stands beside it. */
function bar(share, className) {
  const node = svgEl("svg", { class: `bar ${className || ""}`, viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" });
  node.append(svgEl("rect", { class: "rail", x: 0, y: 0, width: 100, height: 6 }));
  node.append(svgEl("rect", { class: "fill", x: 0, y: 0, width: Math.max(0, Math.min(share, 1)) * 100, height: 6 }));
  return node;
}

/** A colour and what it stands for. */
function legendEntry(colour, text) {
  return el("span", { class: "entry" }, el("span", { class: `swatch ${colour}` }), ` ${text}`);
}

/** Twelve months up to the reference date: columns of commits, the fixes among them darker. */
function monthsChart(file) {
  const most = Math.max(...file.months, 1);
  const svg = svgEl("svg", { class: "months", viewBox: "0 0 240 68", role: "img", "aria-label": monthsText(file) });
  file.months.forEach((commits, at) => {
    const fixes = file.fixMonths[at] || 0;
    const high = (50 * commits) / most, fixed = (50 * fixes) / most;
    svg.append(svgEl("rect", { class: "commits", x: at * 20 + 2, y: 54 - Math.max(high, 1), width: 16, height: Math.max(high, 1) }));
    if (fixes) svg.append(svgEl("rect", { class: "fixed", x: at * 20 + 2, y: 54 - fixed, width: 16, height: fixed }));
  });
  const start = svgEl("text", { x: 2, y: 64, class: "tick" }), end = svgEl("text", { x: 238, y: 64, class: "tick", "text-anchor": "end" });
  start.textContent = "a year before";
  end.textContent = data.reference;
  svg.append(start, end);
  return svg;
}

function monthsText(file) {
  const fixes = file.fixMonths.reduce((sum, number) => sum + number, 0);
  const commits = file.months.reduce((sum, number) => sum + number, 0);
  const months = file.months.map((number, at) => `${number}${file.fixMonths[at] ? ` (${count(file.fixMonths[at], "fix", "fixes")})` : ""}`);
  return `${count(commits, "commit")} and ${count(fixes, "fix", "fixes")} in ${YEAR}. By month, the oldest first: ${months.join(", ")}.`;
}
