// What every page needs: its data, elements made of text, the state in the address, and the switch of the theme.

const SVG = "http://www.w3.org/2000/svg";

/** The data of the page, as the one JSON block holds them. */
function pageData() {
  return JSON.parse(document.getElementById("data").textContent);
}

function byId(id) {
  return document.getElementById(id);
}

/** Sets attributes; null and false leave one out. Names and addresses are ours: no value of a repository is ever one. */
function withAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === false || value === undefined) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  return node;
}

/** An element; strings become text, never markup. */
function el(name, attributes, ...children) {
  const node = withAttributes(document.createElement(name), attributes);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined).map((child) => (child instanceof Node ? child : String(child))));
  return node;
}

/** The same for SVG. */
function svgEl(name, attributes, ...children) {
  const node = withAttributes(document.createElementNS(SVG, name), attributes);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

/** A button that looks like a link. */
function linkButton(text, onPress, attributes) {
  const button = el("button", { type: "button", class: "link", ...attributes }, text);
  button.addEventListener("click", onPress);
  return button;
}

/** Our own sentences name code in backticks: it becomes code, everything else is text. */
function prose(text) {
  return String(text).split("`").map((piece, at) => (at % 2 ? el("code", {}, piece) : piece)).filter((piece) => piece !== "");
}

/** A path that is broken after a slash, where it has to be. */
function breakable(path) {
  return path.split(/(?<=\/)/).flatMap((piece, at) => (at ? [el("wbr"), piece] : [piece]));
}

/** "1 file", "2 files", "1,200 files". */
function count(number, noun, plural) {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural || noun + "s"}`;
}

/** The name of a path in at most so many characters: both ends stay. */
function shortText(text, most) {
  if (text.length <= most) return text;
  const half = Math.max(1, Math.floor((most - 1) / 2));
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}

// The state of the page is the part of the address after `#`: it can be kept, sent and gone back to.

const stateListeners = [];

/** The present state: a plain object of strings. An address of another kind, such as `#findings`, is no state. */
function readState() {
  const hash = location.hash.slice(1);
  const state = Object.create(null);
  if (!hash.includes("=")) return state;
  for (const [key, value] of new URLSearchParams(hash)) state[key] = value;
  return state;
}

/** Changes some keys of the state; empty values leave the address. `push` makes it a step to go back from. */
function writeState(changes, push = false) {
  const state = { ...readState(), ...changes };
  const words = new URLSearchParams();
  for (const key of Object.keys(state).sort()) if (state[key]) words.set(key, state[key]);
  const hash = words.size ? `#${words}` : location.pathname + location.search;
  if (push) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
  for (const listener of stateListeners) listener(readState());
}

/** Calls the listener now, and whenever the state changes. */
function onState(listener) {
  stateListeners.push(listener);
}

window.addEventListener("hashchange", () => {
  if (location.hash && !location.hash.includes("=")) return;
  for (const listener of stateListeners) listener(readState());
});
window.addEventListener("popstate", () => {
  for (const listener of stateListeners) listener(readState());
});

const THEMES = { "": "Theme: system", light: "Theme: light", dark: "Theme: dark" };

function setUpTheme() {
  const button = byId("theme");
  if (!button) return;
  const show = (state) => {
    const theme = state.theme in THEMES ? state.theme : "";
    if (theme) document.documentElement.setAttribute("data-theme", theme);
    else document.documentElement.removeAttribute("data-theme");
    button.textContent = THEMES[theme];
  };
  button.addEventListener("click", () => {
    const order = Object.keys(THEMES);
    const now = order.indexOf(readState().theme || "");
    writeState({ theme: order[(now + 1) % order.length] });
  });
  onState(show);
  show(readState());
}

/** Copies a text, and says so on the button for a moment. */
function copyButton(text) {
  const button = el("button", { type: "button", class: "plain" }, "Copy");
  button.addEventListener("click", async () => {
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = el("textarea", { class: "for-readers" }, text);
      document.body.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
    }
    button.textContent = done ? "Copied" : "Select and copy";
    setTimeout(() => (button.textContent = "Copy"), 1600);
  });
  return button;
}

document.documentElement.classList.add("scripted");
setUpTheme();
