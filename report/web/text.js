// Elements, numbers as texts, and files to save. All texts of results become text
// nodes: nothing here parses HTML.

const data = JSON.parse(document.getElementById("data").textContent);

// el makes an element; children are elements and texts.
function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) e.setAttribute(name, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

let ids = 0;
function newID(what) { return `${what}-${ids++}`; }

const prefixes = [["E", 1e18], ["P", 1e15], ["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3], ["", 1], ["m", 1e-3], ["µ", 1e-6], ["n", 1e-9], ["p", 1e-12], ["f", 1e-15]];

// digits writes a number with so many significant digits and no trailing zeros.
function digits(x, n) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e7 || size < 1e-4) return Number(x.toPrecision(n)).toExponential().replace("e+", "e");
  return String(Number(x.toPrecision(n)));
}

// scaled writes x with the prefix that suits it. Counts, which have no unit, are
// written in full; powers of two as on axes: 64, 1Ki, 8Mi.
function scaled(x, unit, n = 4) {
  if (x === null || x === undefined || !Number.isFinite(x)) return "";
  if (!unit) return count(x) ?? digits(x, n);
  if (x === 0) return `0 ${unit}`;
  const size = Math.abs(x) * (1 + 1e-9);
  const [symbol, factor] = prefixes.find(([, f]) => size >= f) ?? prefixes[prefixes.length - 1];
  return `${digits(x / factor, n)} ${symbol}${unit}`;
}

function count(x) {
  if (!Number.isInteger(x)) return null;
  if (x >= 1024 && Number.isInteger(Math.log2(x))) {
    const i = Math.min(6, Math.floor(Math.log2(x) / 10));
    return `${x / 1024 ** i}${["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"][i]}`;
  }
  return Math.abs(x) < 1e7 ? String(x) : null;
}

// counted is how many there are of what the word names.
function counted(n, word) { return n === 1 ? `1 ${word}` : `${n} ${word}s`; }

// valueOn is what a value on an axis reads.
function valueOn(axis, x) {
  if (axis.names) return axis.names[Math.round(x)] ?? "";
  return scaled(x, axis.unit);
}

// csv is a file of rows (RFC 4180). A text that a spreadsheet would take for a
// formula gets an apostrophe.
function csv(rows) {
  const cell = (x) => {
    let t = x === null || x === undefined ? "" : String(x);
    if (typeof x === "string" && /^[=+@\t\r-]/.test(t) && !Number.isFinite(Number(t))) t = "'" + t;
    return /[",\r\n]/.test(t) ? `"${t.replaceAll('"', '""')}"` : t;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

// fileName keeps what every file system can take.
function fileName(title, ending) {
  const name = title.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return `${name || "figure"}.${ending}`;
}

// save hands the reader a file.
function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

// copy puts a text on the clipboard, and says so in the page's live region.
async function copy(text, what) {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch { // no clipboard for this page: by way of a selection
    const area = el("textarea", { class: "offscreen", readonly: true, "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    const focused = document.activeElement;
    area.select();
    done = document.execCommand("copy");
    area.remove();
    focused?.focus();
  }
  say(done ? `${what} copied` : `${what} could not be copied: the browser refuses it`);
}

const spoken = el("p", { role: "status", class: "status" });
let silence = 0;
function say(text) {
  spoken.textContent = text;
  clearTimeout(silence);
  silence = setTimeout(() => { spoken.textContent = ""; }, 5000);
}

function button(text, act, attributes = {}) {
  return el("button", { type: "button", onclick: act, ...attributes }, text);
}
