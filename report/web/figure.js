// A figure, or several in one place, with what a reader does with it: move from mark
// to mark, choose one, hide series, save.

const shown = new Set(); // the figures in the page, to be drawn anew for another theme
const mostInSVG = 3000; // of more marks the page has a canvas; what is saved is an SVG always

function drawShown() { for (const f of shown) f.draw(); }

class FigureView {
  // choose is called with the index of a point. A chief figure is kept within a screen.
  constructor(figures, choose, chief = false) {
    this.figures = figures;
    this.chief = chief;
    this.choose = choose;
    this.at = 0;
    this.hidden = new Set();
    this.chart = null;
    this.cursor = null; // [series, mark]
    const title = newID("title");
    this.title = el("h4", { id: title });
    this.place = el("div", { class: "chart", tabindex: "0", role: "application", "aria-roledescription": "chart", "aria-describedby": newID("readout") });
    this.readout = el("p", { id: this.place.getAttribute("aria-describedby"), class: "readout", role: "status" });
    this.legend = el("div", { class: "legend", role: "group", "aria-label": "series shown" });
    this.note = el("p", { class: "note" });
    this.values = el("details", {}, el("summary", {}, "Values as a table"));
    this.values.addEventListener("toggle", () => this.showValues());
    this.element = el("figure", { "aria-labelledby": title }, el("figcaption", {}, this.title, this.chooser()), this.place, this.readout, this.legend, this.note,
      el("div", { class: "below" }, el("div", { class: "tools" }, button("Save SVG", () => this.saveSVG()), button("Save CSV", () => this.saveCSV())), this.values));
    this.place.addEventListener("keydown", (e) => this.key(e));
    this.place.addEventListener("blur", () => this.mark(null));
    this.show(0);
    nearby.observe(this.place);
    this.place.view = this;
  }

  get figure() { return this.figures[this.at]; }

  chooser() {
    if (this.figures.length < 2) return null;
    const select = el("select", { onchange: () => this.show(select.selectedIndex) }, ...this.figures.map((f) => el("option", {}, f.title)));
    return el("label", { class: "choice" }, "figure ", select);
  }

  show(i) {
    this.at = i;
    this.hidden.clear();
    this.cursor = null;
    const f = this.figure;
    this.title.textContent = f.title;
    this.note.textContent = f.note ?? "";
    this.readout.textContent = "";
    const marks = (f.series ?? []).filter((s) => s.mark !== "limit").reduce((n, s) => n + s.x.length, 0);
    this.place.setAttribute("aria-label", `${f.title}: ${f.y.title || "rows"} over ${f.x.title}, ${f.series?.length ?? 0} series, ${counted(marks || f.cells?.flat().length || 0, "value")}. Arrow keys move between them.`);
    const rows = f.y.names?.length ?? 0, own = f.row ?? 24,
      step = f.cells ? Math.min(24, Math.max(8, 480 / rows)) : this.chief ? Math.min(own, Math.max(15, 480 / rows)) : own;
    this.place.style.height = rows ? `${Math.max(140, rows * step + 76)}px` : "380px";
    this.drawLegend();
    this.showValues();
    if (this.drawn) this.draw(true);
  }

  get drawn() { return this.chart !== null; }

  dispose() {
    this.chart?.dispose();
    this.chart = null;
    shown.delete(this);
  }

  drawLegend() {
    const t = theme();
    this.legend.replaceChildren(...(this.figure.series ?? []).map((s) => {
      const key = el("span", { class: "key", "aria-hidden": "true" });
      key.style.background = colourOf(s, t);
      const b = button("", () => {
        if (!this.hidden.delete(s.name)) this.hidden.add(s.name);
        b.setAttribute("aria-pressed", String(!this.hidden.has(s.name)));
        this.draw();
      }, { "aria-pressed": "true" });
      b.append(key, s.name);
      return b;
    }));
    const f = this.figure, named = f.y.names && f.series?.every((s) => f.y.names.includes(s.name));
    this.legend.hidden = !f.series || f.series.length < 2 || f.cells || named;
  }

  // draw makes the chart where there is none yet; anew forgets the one there is.
  draw(anew = false) {
    const count = (this.figure.series ?? []).reduce((n, s) => n + s.x.length, 0) + (this.figure.cells ? this.figure.cells.length * this.figure.cells[0].length : 0);
    const renderer = count > mostInSVG ? "canvas" : "svg";
    if (anew || this.renderer !== renderer) this.dispose();
    if (!this.chart) {
      this.chart = echarts.init(this.place, null, { renderer });
      this.renderer = renderer;
      this.chart.on("mouseover", (e) => this.tell(e));
      this.chart.on("click", (e) => this.clicked(e));
      shown.add(this);
    }
    this.chart.resize();
    this.chart.setOption(optionOf(this.figure, theme(), this.place.clientWidth, this.place.clientHeight, this.hidden), { notMerge: true });
    this.drawKeys();
  }

  drawKeys() {
    const t = theme();
    this.legend.querySelectorAll(".key").forEach((k, i) => { k.style.background = colourOf(this.figure.series[i], t); });
  }

  markOf(e) {
    const m = /^([sf])(\d+)$/.exec(e.seriesId ?? "");
    if (!m || !(e.dataIndex >= 0)) return null;
    const i = Number(m[2]);
    return [i, m[1] === "f" ? this.figure.series[i].failed[e.dataIndex] : e.dataIndex];
  }

  tell(e) {
    const at = this.markOf(e);
    if (at) this.readout.textContent = this.words(at);
  }

  clicked(e) {
    const at = this.markOf(e);
    if (at) this.open(at);
  }

  open([i, k]) {
    const point = this.figure.series?.[i].point?.[k];
    if (point !== undefined && point >= 0) this.choose(point, this.place);
  }

  // words are what a mark stands for.
  words([i, k]) {
    const f = this.figure;
    if (f.cells) {
      const columns = f.x.names.length, x = k % columns, y = Math.floor(k / columns), v = f.cells[y][x], share = f.shares[y][x];
      const found = v === null ? (share === 0 ? f.empty : "none valid") : `${scaled(v, f.unit)}, ${Math.round(100 * share)} %`;
      return `${f.x.title} ${f.x.names[x]}, ${f.y.title} ${f.y.names[y]}: ${found}`;
    }
    const s = f.series[i], lying = !!f.y.names;
    const value = (lying ? scaled(s.x[k], f.x.unit) : scaled(s.y[k], f.y.unit)) || "no value";
    const row = lying ? f.y.names[Math.round(s.y[k])] : "";
    let text = lying ? `${s.among ? `${s.name}, ` : ""}${row}: ${value}` : `${s.name}: ${f.x.title} ${valueOn(f.x, s.x[k])}, ${f.y.title} ${value}`;
    if (s.low && s.low[k] !== null) {
      const unit = lying ? f.x.unit : f.y.unit;
      text += s.mark === "step" ? ` (band down to ${scaled(s.low[k], unit)})` : ` (interval ${scaled(s.low[k], unit)} to ${scaled(s.high[k], unit)})`;
    }
    if (s.label?.[k]) text += `, ${s.label[k]}`;
    if (s.doubtful?.includes(k)) text += ", hollow";
    if (s.point?.[k] >= 0) text += ". Enter or a click shows its samples.";
    return text;
  }

  // rows are the marks by series, of a heat map by row.
  rows() {
    const f = this.figure;
    if (f.cells) return f.cells.map((row, y) => row.map((_, x) => [0, y * row.length + x])).reverse();
    return f.series.map((s, i) => (s.mark === "limit" || this.hidden.has(s.name) ? [] : s.x.map((_, k) => [i, k]))).filter((r) => r.length);
  }

  key(e) {
    const rows = this.rows();
    if (!rows.length) return;
    let row = 0, column = -1;
    if (this.cursor) {
      row = rows.findIndex((r) => r.some((m) => m[0] === this.cursor[0] && m[1] === this.cursor[1]));
      column = row < 0 ? -1 : rows[row].findIndex((m) => m[1] === this.cursor[1]);
    }
    const last = rows[Math.max(row, 0)].length - 1;
    switch (e.key) {
      case "ArrowRight": column = Math.min(column + 1, last); break;
      case "ArrowLeft": column = Math.max(column - 1, 0); break;
      case "ArrowDown": row = this.cursor ? (row + 1) % rows.length : 0; break;
      case "ArrowUp": row = this.cursor ? (row + rows.length - 1) % rows.length : rows.length - 1; break;
      case "Home": column = 0; break;
      case "End": column = last; break;
      case "Escape": this.mark(null); return;
      case "Enter": case " ":
        e.preventDefault();
        if (this.cursor) this.open(this.cursor);
        return;
      default: return;
    }
    e.preventDefault();
    row = Math.max(row, 0);
    this.mark(rows[row][Math.min(Math.max(column, 0), rows[row].length - 1)]);
  }

  // mark shows where the keyboard is.
  mark(at) {
    const action = (type, [i, k]) => {
      const failed = this.figure.series?.[i].failed?.indexOf(k) ?? -1;
      this.chart?.dispatchAction({ type, seriesId: failed < 0 ? `s${i}` : `f${i}`, dataIndex: failed < 0 ? k : failed });
    };
    if (this.cursor) action("downplay", this.cursor);
    this.cursor = at;
    if (!at) return;
    if (!this.chart) this.draw();
    action("highlight", at);
    this.readout.textContent = this.words(at);
  }

  // table is the figure's values, a row each.
  table() {
    const f = this.figure;
    const name = (a) => (a.unit ? `${a.title} (${a.unit})` : a.title);
    if (f.cells) {
      const rows = [[f.x.title, f.y.title, f.unit ? `value (${f.unit})` : "value"]];
      f.cells.forEach((row, y) => row.forEach((v, x) => rows.push([f.x.names[x], f.y.names[y], v])));
      return rows;
    }
    const rows = [["series", name(f.x), name(f.y) || "row", "interval from", "interval to", "remark"]];
    for (const s of f.series) {
      s.x.forEach((x, k) => rows.push([s.name, f.x.names ? valueOn(f.x, x) : x, f.y.names ? valueOn(f.y, s.y[k]) : s.y[k], s.low?.[k], s.high?.[k],
        [s.label?.[k], s.doubtful?.includes(k) ? "hollow" : ""].filter(Boolean).join(", ")]));
    }
    for (let c = rows[0].length - 1; c > 2; c--) {
      if (rows.slice(1).every((r) => r[c] === null || r[c] === undefined || r[c] === "")) rows.forEach((r) => r.splice(c, 1));
    }
    return rows;
  }

  showValues() {
    this.values.querySelector(".scroll")?.remove();
    if (!this.values.open) return;
    const [head, ...rows] = this.table();
    const most = 500;
    const text = (x) => (typeof x === "number" ? digits(x, 6) : x ?? "");
    this.values.append(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `values of ${this.figure.title}` },
      el("table", {}, el("thead", {}, el("tr", {}, ...head.map((h) => el("th", { scope: "col" }, h)))),
        el("tbody", {}, ...rows.slice(0, most).map((r) => el("tr", {}, ...r.map((c) => el("td", {}, text(c))))))),
      rows.length > most ? el("p", {}, `The first ${most} of ${rows.length}; the CSV has all.`) : null));
  }

  saveCSV() { save(fileName(this.figure.title, "csv"), "text/csv", csv(this.table())); }

  saveSVG() { save(fileName(this.figure.title, "svg"), "image/svg+xml", svgText(optionOf(this.figure, light, savedWidth, this.place.clientHeight + 56, this.hidden, true), this.place.clientHeight + 56)); }
}

const savedWidth = 860;

// svgText is what ECharts makes of an option, as a file of its own.
function svgText(option, height) {
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width: savedWidth, height: Math.max(height, 200) });
  chart.setOption(option);
  const text = chart.renderToSVGString();
  chart.dispose();
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

// nearby draws charts as the reader comes near: a report may have hundreds.
const nearby = new IntersectionObserver((entries) => {
  for (const e of entries) {
    if (!e.isIntersecting) continue;
    nearby.unobserve(e.target);
    if (!e.target.view.drawn) e.target.view.draw();
  }
}, { rootMargin: "800px" });

let resizing = 0;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(drawShown, 100);
});
