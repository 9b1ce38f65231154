"use strict";
const root = document.currentScript.dataset.root;

// Dark and light: the system's until the reader chooses. A browser that keeps nothing for
// files forgets the choice with the page.
const system = matchMedia("(prefers-color-scheme: dark)");
let chosen = null;
try { chosen = localStorage.getItem("theme"); } catch {}

function paint() {
  const dark = chosen ? chosen === "dark" : system.matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const button = document.getElementById("dark");
  if (!button) return;
  button.textContent = dark ? "Light" : "Dark";
  button.setAttribute("aria-pressed", String(dark));
}
paint(); // before the first line is shown
document.documentElement.classList.add("script");
system.addEventListener("change", paint);
addEventListener("beforeprint", () => { document.documentElement.dataset.theme = "light"; });
addEventListener("afterprint", paint);

// Search. A word counts by how rare it is, and more in a heading or a page's title; sections
// that have all words come first.
const common = new Set("a an and are as at be by can do does for from get how i if in is it its me mean means my of on or that the this to was what when where which who why with without you your".split(" "));

const words = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || [];
const stem = w => /[^s]ies$/.test(w) && w.length > 4 ? w.slice(0, -3) + "y" : /(ss|x|ch|sh)es$/.test(w) ? w.slice(0, -2) : /[^siu]s$/.test(w) && w.length > 3 ? w.slice(0, -1) : w;
const stems = text => words(text).map(stem);

let sections = null; // {path, title, id, heading, text, ...}
function prepare(pages) {
  return pages.flatMap(p => p.sections.map(({ id, heading, text }, i) => ({
    path: p.path, title: p.title, id, heading, text, first: i === 0,
    head: new Set(stems(heading)), top: new Set(stems(p.title)), body: stems(text),
    // What was found once is of less use than how to do it.
    weight: /^(results|test|tuning|changelog)\/|^CHANGELOG/.test(p.path) ? 0.5 : 1,
  }))).map(s => {
    s.counts = new Map();
    for (const w of s.body) s.counts.set(w, (s.counts.get(w) || 0) + 1);
    s.line = " " + [...stems(s.heading), "|", ...s.body].join(" ") + " ";
    return s;
  });
}

// has is how well a section has a word, 0 to 1 in its text and more with its headings; a word
// that only begins so counts half.
function has(s, word) {
  const whole = set => set.has(word) ? 1 : word.length > 2 && [...set.keys()].some(k => k.startsWith(word)) ? 0.5 : 0;
  let n = s.counts.get(word) || 0;
  if (!n && word.length > 2) for (const [k, c] of s.counts) if (k.startsWith(word)) n += c / 2;
  return n / (n + 0.6 + s.body.length / 250) + 1.6 * whole(s.head) + 0.8 * whole(s.top);
}

function search(query) {
  const all = stems(query);
  const kept = all.filter((w, i) => !common.has(words(query)[i]));
  const wanted = [...new Set(kept.length ? kept : all)];
  if (!wanted.length) return [];
  const values = wanted.map(w => sections.map(s => has(s, w)));
  const rare = values.map(v => Math.log(1 + sections.length / (1 + v.filter(x => x > 0).length)));
  // Pairs of words that stand side by side in the text as in the question.
  const pairs = all.slice(1).map((w, i) => [all[i], w]).filter(([a, b]) => wanted.includes(a) || wanted.includes(b)).map(p => " " + p.join(" ") + " ");
  const sum = rare.reduce((a, b) => a + b, 0);
  return sections.map((s, i) => {
    let score = 0, share = 0;
    wanted.forEach((_, k) => { score += rare[k] * values[k][i]; if (values[k][i] > 0) share += rare[k] / sum; });
    for (const p of pairs) if (s.line.includes(p)) score += 0.8;
    return { s, score: score * share * share * s.weight };
  }).filter(r => r.score > 0).sort((a, b) => b.score - a.score).slice(0, 12).map(r => r.s).map(s => ({ ...s, wanted }));
}

// snippet is the text around the first place with the most of the words, those marked.
function snippet(text, wanted) {
  const parts = text.split(" ");
  const hit = parts.map(p => stems(p).some(w => wanted.some(q => w === q || q.length > 2 && w.startsWith(q))));
  let best = 0, most = -1;
  for (let i = 0; i < parts.length; i += 4) {
    const n = hit.slice(i, i + 26).filter(Boolean).length;
    if (n > most) [best, most] = [i, n];
  }
  const span = document.createElement("span");
  if (best > 0) span.append("… ");
  parts.slice(best, best + 26).forEach((p, i) => {
    const node = hit[best + i] ? document.createElement("mark") : null;
    if (node) node.textContent = p;
    span.append(node || p, " ");
  });
  if (best + 26 < parts.length) span.append("…");
  return span;
}

document.addEventListener("DOMContentLoaded", () => {
  const box = document.getElementById("search"), found = document.getElementById("found");
  const menu = document.getElementById("menu"), groups = document.getElementById("groups");
  paint();
  document.getElementById("dark").addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", chosen); } catch {}
    paint();
  });
  menu.addEventListener("click", () => menu.setAttribute("aria-expanded", String(groups.classList.toggle("open"))));
  const here = groups.querySelector("[aria-current]");
  if (here) groups.scrollTop = here.offsetTop - groups.clientHeight / 2;

  let at = -1;
  const hide = () => { found.hidden = true; box.setAttribute("aria-expanded", "false"); };
  const select = to => {
    const links = [...found.querySelectorAll("a")];
    if (!links.length) return;
    at = (to + links.length) % links.length;
    links.forEach((l, i) => l.setAttribute("aria-selected", String(i === at)));
    box.setAttribute("aria-activedescendant", links[at].id);
    links[at].scrollIntoView({ block: "nearest" });
  };
  const show = () => {
    at = -1;
    box.removeAttribute("aria-activedescendant");
    found.replaceChildren();
    if (!sections || !box.value.trim()) return hide();
    search(box.value).forEach((s, i) => {
      const link = document.createElement("a"), name = document.createElement("b");
      link.href = root + s.path + (s.first ? "" : "#" + s.id);
      link.id = "found-" + i;
      link.setAttribute("role", "option");
      name.textContent = s.title + (s.first ? "" : " › " + s.heading);
      link.append(name, snippet(s.text, s.wanted));
      found.append(link);
    });
    if (!found.childElementCount) {
      const none = document.createElement("p");
      none.textContent = "No section has these words.";
      found.append(none);
    }
    found.hidden = false;
    box.setAttribute("aria-expanded", "true");
  };
  const load = () => {
    if (document.getElementById("index")) return;
    const script = document.createElement("script");
    script.id = "index";
    script.src = root + "search.js";
    script.addEventListener("load", () => { sections = prepare(bench_pages); show(); });
    document.head.append(script);
  };
  box.addEventListener("focus", () => { load(); show(); });
  box.addEventListener("input", () => { load(); show(); });
  box.addEventListener("keydown", e => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") { e.preventDefault(); select(e.key === "ArrowDown" ? at + 1 : Math.max(at, 0) - 1); }
    if (e.key === "Enter") (found.querySelectorAll("a")[Math.max(at, 0)])?.click();
    if (e.key === "Escape") { box.blur(); hide(); }
  });
  found.setAttribute("role", "listbox");
  found.setAttribute("aria-label", "Sections found");
  found.addEventListener("click", hide);
  document.addEventListener("click", e => { if (!e.target.closest("search")) hide(); });
  document.addEventListener("keydown", e => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input, textarea")) return;
    e.preventDefault();
    box.focus();
  });
});
