// The page: a section for each source of results.

function list(items) { return el("ul", {}, ...items.map((t) => el("li", {}, t))); }

function facts(all) {
  return el("dl", {}, ...all.flatMap((f) => [el("dt", {}, f.name), el("dd", {}, f.value)]));
}

// figureViews puts figures of one group into one place.
function figureViews(figures, choose) {
  const views = [];
  for (let i = 0; i < figures.length;) {
    const group = [figures[i++]];
    while (group[0].group && figures[i]?.group === group[0].group) group.push(figures[i++]);
    views.push((group[0].parallel ? new ParallelView(group, choose) : new FigureView(group, choose)).element);
  }
  return views;
}

function sectionView(section, number) {
  const id = `section-${number}`;
  const panel = el("section", { class: "point", hidden: true, "aria-live": "off" });
  const choose = (i, from) => showPoint(panel, section.points[i], from);
  const part = (title, ...children) => [el("h3", {}, title), ...children];
  return el("section", { class: "source", id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title`, tabindex: "-1" }, section.title, " ", el("small", {}, section.kind)),
    el("div", { class: section.failed ? "verdict failed" : "verdict" }, ...part("Verdict", section.verdict?.length ? list(section.verdict) : el("p", {}, "Nothing can be said of these results."))),
    section.warnings ? el("div", { class: "warnings" }, ...part("Warnings", list(section.warnings))) : el("div", { class: "warnings none" }, ...part("Warnings", el("p", {}, "None."))),
    section.facts ? el("details", { class: "facts", open: true }, el("summary", {}, el("h3", {}, "Environment")), facts(section.facts)) : null,
    section.figures ? el("div", { class: "figures" }, ...part("Figures", ...figureViews(section.figures, choose))) : null,
    panel,
    section.tables ? el("div", { class: "tables" }, ...part("Tables", ...section.tables.map((t) => tableView(t, choose)))) : null);
}

// showPoint fills the panel of a section with one point; from gets the focus back.
function showPoint(panel, point, from) {
  for (const place of panel.querySelectorAll(".chart")) place.view.dispose();
  const title = el("h3", { tabindex: "-1", id: newID("point") }, point.name);
  panel.setAttribute("aria-labelledby", title.id);
  panel.replaceChildren(...[title,
    el("div", { class: "tools" }, button("Close", () => {
      panel.hidden = true;
      from?.focus();
    })),
    point.command ? el("div", { class: "command" }, el("p", {}, "This measures it again:"), el("code", {}, point.command), button("Copy command", () => copy(point.command, "command"))) : null,
    point.facts ? facts(point.facts) : null].filter(Boolean));
  panel.hidden = false;
  panel.append(...figureViews(point.figures ?? [], () => {}));
  title.focus();
  title.scrollIntoView({ block: "start" });
}

function themeChooser() {
  const select = el("select", { onchange: () => {
    document.documentElement.dataset.theme = select.value;
    drawShown();
  } }, ...[["", "as the system"], ["light", "light"], ["dark", "dark"]].map(([value, text]) => el("option", { value }, text)));
  return el("label", { class: "theme" }, "Theme ", select);
}

function contents() {
  return el("nav", { "aria-label": "Sections" }, el("ol", {}, ...data.sections.map((s, i) => el("li", {}, el("a", { href: `#section-${i}` }, s.title), " ", el("small", {}, s.kind)))));
}

const main = el("main", { id: "main" }, ...data.sections.map(sectionView));
document.body.append(el("a", { class: "skip", href: "#main" }, "To the results"),
  el("header", {}, el("h1", {}, data.title), el("p", {}, `Made by bench ${data.made}. This file holds all that it shows, and requests nothing.`), themeChooser(), data.sections.length > 1 ? contents() : null),
  main, spoken,
  el("footer", {}, el("details", {}, el("summary", {}, "Licences of what this page holds"), el("pre", {}, document.getElementById("licences").textContent))));

prefersDark.addEventListener("change", drawShown);

// On paper all is in light colours, and as wide as the paper.
addEventListener("beforeprint", () => {
  printing = true;
  document.documentElement.dataset.print = "yes";
  for (const place of document.querySelectorAll("section.source > .figures .chart, section.point:not([hidden]) .chart")) place.view.draw();
});
addEventListener("afterprint", () => {
  printing = false;
  delete document.documentElement.dataset.print;
  drawShown();
});
// A page of a run that goes on shows the newest file, unless somebody looks at a point or chooses something, and
// stays where it was.
if (history.state?.place !== undefined) {
  history.scrollRestoration = "manual";
  requestAnimationFrame(() => scrollTo(0, history.state.place));
}
if (data.reload) {
  setInterval(() => {
    if (document.hidden || document.querySelector("section.point:not([hidden])") || document.activeElement !== document.body) return;
    history.replaceState({ place: scrollY }, "");
    location.reload();
  }, 1000 * data.reload);
}
document.documentElement.dataset.ready = "yes";
