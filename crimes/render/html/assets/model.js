// The data of the map as objects: files, folders, findings, and the colours of files.

const data = pageData();
const REPOSITORY = document.querySelector("h1").textContent;
const CODE_ROLES = new Set(["source", "script", ""]);
const SEVERITIES = ["high", "medium", "low"];

const folders = data.folders.map(([name, parent], number) => ({ number, name, parent, path: "" }));
for (const folder of folders.slice(1)) {
  const above = folders[folder.parent].path;
  folder.path = above ? `${above}/${folder.name}` : folder.name;
}
const folderByPath = new Map(folders.map((folder) => [folder.path, folder]));

const files = data.files.map((row, number) => {
  const file = { number, importers: [], findings: [], places: [], worst: 3 };
  data.columns.forEach((column, at) => (file[column] = row[at]));
  const folder = folders[file.folder].path;
  file.path = folder ? `${folder}/${file.name}` : file.name;
  file.key = file.path.toLowerCase();
  file.language = data.languages[file.language];
  for (const list of ["imports", "companions", "tests", "authors", "codeowners", "fixCommits", "months", "fixMonths"]) file[list] = file[list] || [];
  return file;
});
const fileByPath = new Map(files.map((file) => [file.path, file]));
for (const file of files) for (const target of file.imports) files[target].importers.push(file.number);

const findings = data.findings.map((finding, number) => {
  const known = typeof finding.file === "number" ? files[finding.file] : null;
  const made = { ...finding, number, known, path: known ? known.path : finding.file };
  if (known && made.place) known.places.push(made);
  else if (known) {
    known.findings.push(made);
    known.worst = Math.min(known.worst, SEVERITIES.indexOf(made.severity));
  }
  return made;
});

const colourings = new Map(data.colourings.map((colouring) => [colouring.key, colouring]));

/** The class of a file's colour. */
function colourOf(file, colouring) {
  const value = file[colouring];
  if (value === null || value === undefined) return "none";
  if (colouring === "owner") return value < data.owners ? `owner-${value}` : "owner-other";
  const limits = data.limits[colouring];
  let at = 0;
  while (at < limits.length && value >= limits[at]) at += 1;
  return `step-${limits.length ? Math.round((at * 7) / limits.length) : 0}`;
}

// The periods in which commits are counted, with the day they end on.
const UNTIL = data.reference || "the last commit";
const DAYS_90 = `the 90 days before ${UNTIL}`;
const YEAR = `the year before ${UNTIL}`;

const GAPS = { 0: "a test imports it", 0.5: "only a test of its name", 1: "no test found" };

/** What a file has of a colouring, in words. */
function valueText(file, colouring) {
  const value = file[colouring];
  if (value === null || value === undefined) return colourings.get(colouring).without;
  switch (colouring) {
    case "risk": return `edit risk ${value.toFixed(1)}${file.band ? `, ${file.band} need a fix` : ""}`;
    case "owner": return data.people[value];
    case "gap": return GAPS[value] || `test gap ${value}`;
    case "commits": return `${count(value, "commit")} in ${DAYS_90}`;
    case "fixes": return `${count(value, "fix", "fixes")} in ${YEAR}`;
    case "reach": return `${count(value, "file depends", "files depend")} on it`;
    case "age": return `changed ${count(value, "day")} ago`;
    default: return `complexity ${value.toLocaleString("en")}`;
  }
}

/** Whether a file is in a folder or below it. */
function isInside(file, folder) {
  for (let at = file.folder; at >= 0; at = folders[at].parent) if (at === folder.number) return true;
  return false;
}

/** What the state of the page asks for: filters, the folder and the file. */
function viewOf(state) {
  const query = (state.q || "").toLowerCase();
  const severity = SEVERITIES.indexOf(state.severity);
  const role = state.role || "code";
  const view = {
    colour: colourings.has(state.colour) ? state.colour : data.colouring,
    folder: folderByPath.get(state.folder || "") || folders[0],
    file: fileByPath.get(state.file || "") || null,
    role,
    query,
    layouts: role === "code" || !data.layouts.all ? data.layouts.code : data.layouts.all,
  };
  view.filtered = Boolean(query || state.language || severity >= 0 || !["code", "all"].includes(role));
  view.matches = (file) =>
    (role === "all" || (role === "code" ? CODE_ROLES.has(file.role) : file.role === role)) &&
    (!state.language || file.language === state.language) &&
    (severity < 0 || file.worst <= severity) &&
    (!query || file.key.includes(query));
  return view;
}
