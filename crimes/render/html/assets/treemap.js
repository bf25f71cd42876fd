// The treemap: drawn as SVG in the room there is, from layouts that came with the page. Only what is large enough to see is drawn.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGIT = new Map([...DIGITS].map((digit, value) => [digit, value]));
const GRID = 4095;
const HEADER = 18; // height of a folder's name
const MIN_AREA = 6; // of a file that is drawn by itself
const MIN_FOLDER = 12; // width and height from which the inside of a folder is drawn

const treemapRoom = byId("treemap-room");
let cells = []; // what the keys move between: all that is right inside of the folder
let focused = 0;

/** The boxes of a folder in the shape nearest to this room, as [child, x, y, width, height]. */
function placed(layout, x, y, width, height) {
  const ratio = width / height;
  const packed = layout[ratio > Math.SQRT2 ? 1 : ratio < Math.SQRT1_2 ? 3 : 2];
  const value = (at) => (DIGIT.get(packed[at]) * 64 + DIGIT.get(packed[at + 1])) / GRID;
  return layout[0].map((child, number) => {
    const at = number * 8;
    const left = value(at), top = value(at + 2), right = value(at + 4), bottom = value(at + 6);
    return [child, x + width * left, y + height * top, width * (right - left), height * (bottom - top)];
  });
}

function rectangle(x, y, width, height, attributes) {
  const sides = { x: x.toFixed(1), y: y.toFixed(1), width: Math.max(width - 1, 0.5).toFixed(1), height: Math.max(height - 1, 0.5).toFixed(1) };
  return svgEl("rect", { ...sides, ...attributes });
}

const pen = document.createElement("canvas").getContext("2d");
pen.font = `600 11.5px ${getComputedStyle(document.body).fontFamily}`; // as wide as a label can get

/** A name that fits the width, cut where it does not; null where too little of it would be left. */
function label(text, x, y, width, attributes) {
  const room = width - 8;
  let shown = text.slice(0, 200);
  const full = pen.measureText(shown).width;
  if (full > room) {
    shown = `${shown.slice(0, Math.max(Math.floor((shown.length * (room - 9)) / full), 0))}…`;
    if (shown.length < 4) return null;
  }
  const node = svgEl("text", { x: (x + 4).toFixed(1), y: y.toFixed(1), ...attributes });
  node.textContent = shown;
  return node;
}

/** Draws what is in a folder into the group. */
function drawInside(group, folder, view, x, y, width, height) {
  const layout = view.layouts[folder.number];
  if (!layout || width < 2 || height < 2) return;
  for (const [child, left, top, wide, high] of placed(layout, x, y, width, height)) {
    if (child >= 0) drawFile(group, files[child], view, left, top, wide, high);
    else drawFolder(group, folders[-child - 1], view, left, top, wide, high);
  }
}

function drawFile(group, file, view, x, y, width, height) {
  if (width * height < MIN_AREA) return;
  const dim = view.filtered && !view.matches(file);
  const chosen = view.file === file ? " chosen" : "";
  const step = colourOf(file, view.colour);
  group.append(rectangle(x, y, width, height, { class: `file ${step}${dim ? " dim" : ""}${chosen}`, "data-file": file.number }));
  if (width > 44 && height > 17) {
    const text = label(file.name, x, y + 13, width, { class: `file-name on-${step}${dim ? " dim" : ""}` });
    if (text) group.append(text);
  }
}

function drawFolder(group, folder, view, x, y, width, height) {
  group.append(rectangle(x, y, width, height, { class: "folder", "data-folder": folder.number }));
  const named = width > 48 && height > 42;
  if (named) {
    const text = label(folder.name, x, y + 13, width, { class: "folder-name", "data-folder": folder.number });
    if (text) group.append(text);
  }
  if (width < MIN_FOLDER || height < MIN_FOLDER) {
    // Too small to look into: the highest colour of what matches in it stands for all.
    const steps = files.filter((file) => isInside(file, folder)).filter(view.matches).map((file) => colourOf(file, view.colour));
    const step = steps.filter((name) => name.startsWith("step")).sort().pop() || steps[0] || "none";
    group.append(rectangle(x + 1, y + 1, width - 2, height - 2, { class: `file ${step}`, "data-folder": folder.number }));
    return;
  }
  const top = named ? HEADER : 1.5;
  drawInside(group, folder, view, x + 1.5, y + top, width - 3, height - top - 1.5);
}

function sizeOfTreemap() {
  const width = Math.max(treemapRoom.clientWidth, 200);
  const narrow = width < 560;
  return [width, narrow ? Math.round(width * 1.2) : Math.round(Math.min(Math.max(width * 0.58, 420), Math.max(window.innerHeight - 190, 420)))];
}

/** Draws the treemap of the view. */
function drawTreemap(view) {
  const [width, height] = sizeOfTreemap();
  const svg = svgEl("svg", { id: "treemap", viewBox: `0 0 ${width} ${height}`, height, role: "group", "aria-label": "Treemap of folders and files", "aria-describedby": "keys" });
  cells = [];
  const layout = view.layouts[view.folder.number];
  for (const [child, x, y, wide, high] of layout ? placed(layout, 0, 0, width, height) : []) {
    const isFile = child >= 0;
    const item = isFile ? files[child] : folders[-child - 1];
    const group = svgEl("g", { class: "cell", role: "button", tabindex: "-1", "aria-label": cellName(item, isFile, view), [isFile ? "data-file" : "data-folder"]: item.number });
    if (isFile) drawFile(group, item, view, x, y, wide, high);
    else drawFolder(group, item, view, x, y, wide, high);
    group.append(rectangle(x + 1, y + 1, wide - 2, high - 2, { class: "ring" }));
    cells.push({ item, isFile, x: x + wide / 2, y: y + high / 2, node: group });
    svg.append(group);
  }
  const at = cells.findIndex((cell) => cell.isFile && cell.item === view.file);
  focused = at >= 0 ? at : Math.min(focused, Math.max(cells.length - 1, 0));
  if (cells.length) cells[focused].node.setAttribute("tabindex", "0");
  treemapRoom.replaceChildren(svg);
}

function cellName(item, isFile, view) {
  if (isFile) return `${item.path}, ${count(item.lines, "line")}, ${valueText(item, view.colour)}`;
  const inside = files.filter((file) => isInside(file, item) && view.matches(file));
  return `Folder ${item.path}, ${count(inside.length, "file")}`;
}

/** Moves the focus to a cell of the treemap. */
function focusCell(number) {
  if (!cells.length) return;
  cells[focused].node.setAttribute("tabindex", "-1");
  focused = Math.min(Math.max(number, 0), cells.length - 1);
  cells[focused].node.setAttribute("tabindex", "0");
  cells[focused].node.focus();
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The cell nearest in a direction: near matters, and so does being straight ahead. */
function neighbour(key) {
  const [dx, dy] = DIRECTIONS[key];
  const here = cells[focused];
  let best = focused, least = Infinity;
  cells.forEach((cell, number) => {
    const ahead = (cell.x - here.x) * dx + (cell.y - here.y) * dy;
    const aside = Math.abs((cell.x - here.x) * dy) + Math.abs((cell.y - here.y) * dx);
    if (number === focused || ahead <= 1) return;
    if (ahead + 2 * aside < least) [best, least] = [number, ahead + 2 * aside];
  });
  return best;
}

/** Opens a file, or zooms into a folder. */
function openCell(item, isFile) {
  if (isFile) writeState({ file: item.path }, true);
  else {
    focused = 0;
    writeState({ folder: item.path, file: "" }, true);
  }
}

/** One step back: closes the file, else leaves the folder. */
function stepBack() {
  const view = viewOf(readState());
  if (view.file) writeState({ file: "" }, true);
  else if (view.folder.number) {
    writeState({ folder: folders[view.folder.parent].path }, true);
    const at = cells.findIndex((cell) => !cell.isFile && cell.item === view.folder);
    focusCell(Math.max(at, 0));
  }
}

function setUpTreemap() {
  const tip = el("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  document.body.append(tip);
  const itemAt = (event) => {
    const node = event.target.closest("[data-file], [data-folder]");
    if (!node || !treemapRoom.contains(node)) return [null, false];
    const isFile = node.hasAttribute("data-file");
    return [isFile ? files[node.getAttribute("data-file")] : folders[node.getAttribute("data-folder")], isFile];
  };
  treemapRoom.addEventListener("click", (event) => {
    const [item, isFile] = itemAt(event);
    if (item) openCell(item, isFile);
    if (item && isFile) bringPanelIntoSight();
    tip.hidden = true;
  });
  treemapRoom.addEventListener("pointermove", (event) => {
    const [item, isFile] = itemAt(event);
    tip.hidden = !item || event.pointerType === "touch";
    if (tip.hidden) return;
    const view = viewOf(readState());
    tip.replaceChildren(
      el("div", { class: "path" }, shortText(item.path, 90) + (isFile ? "" : "/")),
      el("div", { class: "muted" }, isFile ? `${count(item.lines, "line")} · ${valueText(item, view.colour)}` : "Click to zoom in"),
    );
    const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - tip.offsetWidth - 8);
    tip.style.left = `${Math.max(left, 4)}px`;
    tip.style.top = `${event.clientY + 18 + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18}px`;
  });
  treemapRoom.addEventListener("pointerleave", () => (tip.hidden = true));
  treemapRoom.addEventListener("keydown", (event) => {
    if (event.key in DIRECTIONS) focusCell(neighbour(event.key));
    else if (event.key === "Home") focusCell(0);
    else if (event.key === "End") focusCell(cells.length - 1);
    else if ((event.key === "Enter" || event.key === " ") && cells.length) {
      const cell = cells[focused];
      openCell(cell.item, cell.isFile);
      if (cell.isFile) byId("panel").focus();
      else focusCell(0);
    } else if (event.key === "Escape") stepBack();
    else return;
    event.preventDefault();
  });
}
