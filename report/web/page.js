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
    const { element } = group[0].parallel ? new ParallelView(group, choose) : new FigureView(group, choose, views.length === 0);
    element.id = newID("figure");
    element.classList.toggle("wide", !!group[0].parallel);
    element.dataset.name = group[0].group || group[0].title;
    views.push(element);
  }
  return views;
}

// sectionView begins with what one asks first, within a screen: where and when it was measured, the finding, and the chief
// figure beside the first table, or above one whose numbers stand behind many words.
function sectionView(section, number) {
  const id = `section-${number}`;
  const panel = el("section", { class: "point", hidden: true, "aria-live": "off" });
  const choose = (i, from) => showPoint(panel, section.points[i], from);
  const part = (title, ...children) => [el("h3", {}, title), ...children];
  const [chief, ...figures] = figureViews(section.figures ?? [], choose);
  const [first, ...tables] = (section.tables ?? []).map((t) => tableView(t, choose));
  const beside = chief && first && section.tables[0].head.findIndex((h) => h.numeric) < 4;
  const [finding, ...verdict] = section.verdict ?? [];
  const where = (section.where ?? []).map((text) => el("span", {}, text));
  if (section.warnings) where.push(el("a", { class: "doubt", href: `#${id}-warnings` }, counted(section.warnings.length, "warning")));
  return el("section", { class: "source", id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title`, tabindex: "-1" }, section.title, " ", el("small", {}, section.kind)),
    where.length ? el("p", { class: "where" }, ...where) : null,
    el("p", { class: section.failed ? "finding failed" : "finding" }, finding ?? "Nothing can be said of these results."),
    chief || first ? el("div", { class: beside ? "first beside" : "first" }, chief, first) : null,
    verdict.length ? el("div", { class: "verdict" }, ...part("In detail", list(verdict))) : null,
    el("div", { class: section.warnings ? "warnings" : "warnings none", id: `${id}-warnings` }, ...part("Warnings", section.warnings ? list(section.warnings) : el("p", {}, "None."))),
    section.facts ? el("details", { class: "facts" }, el("summary", {}, el("h3", {}, "Environment")), facts(section.facts)) : null,
    figures.length ? el("div", { class: "figures" }, ...part("More figures", ...figures)) : null,
    panel,
    tables.length ? el("div", { class: "tables" }, ...part("More tables", ...tables)) : null);
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

// contents lists the sections with their figures and tables. It stands at the side where there is room.
function contents(main) {
  const link = (id, text) => el("a", { href: `#${id}` }, text);
  const sections = [...main.children].map((section, i) => {
    const parts = [...section.querySelectorAll(".first > figure, .figures > figure, section.table")].map((e) => el("li", {}, link(e.id, e.dataset.name)));
    const { title, kind } = data.sections[i];
    return el("li", {}, link(section.id, title), " ", el("small", {}, kind),
      parts.length ? el("details", { open: data.sections.length === 1 }, el("summary", {}, counted(parts.length, "part")), el("ol", {}, ...parts)) : null);
  });
  const nav = el("details", { class: "contents", open: true }, el("summary", {}, "Contents"), el("nav", { "aria-label": "Contents" }, el("ol", {}, ...sections)));
  const wide = matchMedia("(min-width: 1100px)"), follow = () => { nav.open = wide.matches; };
  wide.addEventListener("change", follow);
  follow();
  return nav;
}

// pages leads to the other pages of a site.
function pages(links) {
  return el("nav", { class: "pages", "aria-label": "Pages" }, el("ul", {}, ...links.map((l) => el("li", {}, el("a", { href: l.file }, l.title), " ", el("small", {}, l.about ?? "")))));
}

const main = el("main", { id: "main" }, ...data.sections.map(sectionView));
document.body.append(...[el("a", { class: "skip", href: "#main" }, "To the results"),
  el("header", {}, el("h1", {}, data.title), themeChooser()), contents(main), data.links ? pages(data.links) : null,
  main, spoken,
  el("footer", {}, el("p", {}, `Made by bench ${data.made}. ${data.links ? "These pages hold all that they show, and request nothing from elsewhere." : "This file holds all that it shows, and requests nothing."}`),
    el("details", {}, el("summary", {}, "Licences of what this page holds"), el("pre", {}, document.getElementById("licences").textContent)))].filter(Boolean));

prefersDark.addEventListener("change", drawShown);

// On paper all is in light colours, and as wide as the paper.
addEventListener("beforeprint", () => {
  printing = true;
  document.documentElement.dataset.print = "yes";
  for (const place of document.querySelectorAll("section.source > .first .chart, section.source > .figures .chart, section.point:not([hidden]) .chart")) place.view.draw();
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
  scrollTo(0, history.state.place);
}
if (data.reload) {
  setInterval(() => {
    if (document.hidden || document.querySelector("section.point:not([hidden])") || document.activeElement !== document.body) return;
    history.replaceState({ place: scrollY }, "");
    location.reload();
  }, 1000 * data.reload);
}
document.documentElement.dataset.ready = "yes";
