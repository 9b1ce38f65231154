// Parallel coordinates of a search's points, with ranges to choose on every axis:
// by dragging along it, or in the lists below it.

const classes = [["best 1 %", 0.01], ["best 10 %", 0.1], ["best half", 0.5], ["the others", 1]];

// costClasses puts points into classes by the rank of their cost; those without are in none.
function costClasses(costs) {
  const order = costs.map((_, i) => i).filter((i) => costs[i] !== null).sort((a, b) => costs[a] - costs[b]);
  let from = 0;
  return classes.map(([name, share]) => {
    const to = Math.max(from, Math.min(order.length, Math.max(Math.ceil(share * order.length), from === 0 ? 1 : 0)));
    const rows = order.slice(from, to);
    from = to;
    return { name, rows };
  });
}

// onAxis is a column's value where the axis has it: the cost's place, else the number of
// the value.
function onAxis(parallel, axis, x) {
  if (x === null) return NaN;
  return axis === parallel.axes.length - 1 ? place(parallel.axes[axis], x) ?? NaN : x;
}

function classColours(t) {
  return [t.series[1], t.series[4], t.series[0], t === dark ? "#6b7178" : "#aab0b6"];
}

const mostOffered = 64; // values in a list

const margin = { left: 40, right: 90, top: 36, bottom: 20 };

// axisEnds and axisTicks are of one axis; ticks are places with their texts.
function axisEnds(parallel, dim) {
  return dim === parallel.axes.length - 1 ? [0, 1] : [-0.5, parallel.axes[dim].values.length - 0.5];
}

function axisTicks(parallel, dim) {
  const axis = parallel.axes[dim];
  if (dim === parallel.axes.length - 1) return ticks(axis, false, Infinity);
  return some(axis.values.map((text, i) => [i, text]), 16);
}

// parallelOption is the picture that is saved. The page draws its own: ECharts takes
// longer for thousands of lines than a drag may.
function parallelOption(parallel, t, title, rows) {
  const kept = new Set(rows);
  const colours = classColours(t), last = parallel.axes.length - 1;
  const axes = parallel.axes.map((a, dim) => {
    const [min, max] = axisEnds(parallel, dim), texts = new Map(axisTicks(parallel, dim)), at = [...texts.keys()];
    return {
      dim, name: a.name, nameLocation: "end", nameTruncate: { maxWidth: 90 }, min, max, axisTick: { customValues: at },
      axisLabel: { customValues: at, color: t.ink, showMinLabel: true, showMaxLabel: true, formatter: (v) => texts.get(v) ?? "" },
      axisLine: { lineStyle: { color: t.faint } }, nameTextStyle: { color: t.ink, fontSize: 12 },
    };
  });
  return {
    animation: false, backgroundColor: t.ground, textStyle: { fontFamily: "system-ui, sans-serif" },
    title: { text: title, left: 12, top: 6, textStyle: { color: t.ink, fontSize: 15 } }, legend: { data: classes.map(([name]) => name), left: 12, top: 32, textStyle: { color: t.ink } },
    parallel: { left: margin.left, right: margin.right, top: margin.top + 60, bottom: margin.bottom }, parallelAxis: axes,
    series: costClasses(parallel.columns[last]).map((g, i) => ({
      type: "parallel", name: g.name, color: colours[i], z: 10 - i, progressive: 0, lineStyle: { color: colours[i], width: i < 2 ? 1.6 : 0.8, opacity: i < 2 ? 0.9 : 0.35 },
      data: g.rows.filter((r) => kept.has(r)).map((r) => parallel.columns.map((c, dim) => onAxis(parallel, dim, c[r]))),
    })),
  };
}

class ParallelView extends FigureView {
  constructor(figures, choose) {
    super(figures, choose);
    this.place.setAttribute("role", "img");
    this.place.removeAttribute("tabindex");
    this.place.removeAttribute("aria-roledescription");
  }

  show(i) {
    this.at = i;
    const f = this.figure, p = f.parallel;
    this.title.textContent = f.title;
    this.note.textContent = f.note ?? "";
    this.ranges = p.axes.map(() => null);
    this.last = p.axes.length - 1;
    this.place.style.height = "460px";
    this.place.setAttribute("aria-label", `${f.title}: ${counted(p.columns[0].length, "point")} on ${p.axes.length} axes. The lists below choose ranges.`);
    this.legend.hidden = false;
    this.brush?.remove();
    this.brush = el("div", { class: "brush", role: "group", "aria-label": "ranges" }, ...p.axes.map((a, dim) => this.rangeChooser(a, dim)));
    this.legend.before(this.brush);
    this.drawKeys();
    this.answer();
    this.showValues();
    if (this.drawn) this.draw();
  }

  // steps are what the lists of an axis offer: its values, or some of many; of the cost,
  // nine quantiles.
  steps(dim) {
    const a = this.figure.parallel.axes[dim];
    if (dim !== this.last) {
      const all = a.values.map((text, i) => [text, i]), offered = some(all, mostOffered);
      if (offered[offered.length - 1][1] < all.length - 1) offered.push(all[all.length - 1]);
      return offered;
    }
    const costs = this.figure.parallel.columns[dim].filter((c) => c !== null).sort((x, y) => x - y);
    if (!costs.length) return [];
    return [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1].map((q) => {
      const c = costs[Math.min(costs.length - 1, Math.round(q * (costs.length - 1)))];
      return [scaled(c, this.figure.parallel.unit), onAxis(this.figure.parallel, dim, c)];
    });
  }

  rangeChooser(axis, dim) {
    const steps = this.steps(dim);
    const select = (label, initial) => el("select", { "aria-label": `${axis.name} ${label}`, onchange: () => this.choice(dim, steps, from.selectedIndex, to.selectedIndex) },
      ...steps.map(([text], i) => el("option", { selected: i === initial }, text)));
    const from = select("from", 0), to = select("to", steps.length - 1);
    return el("fieldset", {}, el("legend", {}, axis.name), from, " to ", to);
  }

  choice(dim, steps, from, to) {
    const whole = from === 0 && to === steps.length - 1;
    const room = dim === this.last ? 1e-9 : 0.3;
    const ends = [steps[Math.min(from, to)][1] - room, steps[Math.max(from, to)][1] + room];
    this.range(dim, whole ? null : [ends]);
  }

  // selected are the points within all ranges.
  selected() {
    const { columns } = this.figure.parallel;
    let kept = columns[0].map((_, i) => i);
    this.ranges.forEach((intervals, dim) => {
      if (intervals) kept = kept.filter((i) => intervals.some(([a, b]) => { const v = onAxis(this.figure.parallel, dim, columns[dim][i]); return v >= a && v <= b; }));
    });
    return kept;
  }

  // answer says how many points are chosen, and which is best.
  answer() {
    const { axes, columns, cost, unit } = this.figure.parallel;
    const kept = this.chosen = this.selected(), costs = columns[this.last];
    let best = -1, valid = 0;
    for (const i of kept) {
      if (costs[i] === null) continue;
      valid++;
      if (best < 0 || costs[i] < costs[best]) best = i;
    }
    let text = `${kept.length} of ${counted(columns[0].length, "point")} chosen, ${valid} of them valid.`;
    if (best >= 0) text += ` Least ${cost}: ${scaled(costs[best], unit)} at ${axes.slice(0, -1).map((a, d) => `${a.name} ${a.values[columns[d][best]]}`).join(", ")}.`;
    this.readout.textContent = text;
  }

  get drawn() { return this.canvases !== undefined; }

  dispose() { shown.delete(this); }

  draw() {
    if (!this.canvases) {
      this.canvases = [el("canvas", { "aria-hidden": "true" }), el("canvas", { "aria-hidden": "true" })];
      this.place.replaceChildren(...this.canvases);
      this.place.classList.add("layers");
      this.canvases[1].addEventListener("pointerdown", (e) => this.drag(e));
    }
    shown.add(this);
    const scale = Math.min(devicePixelRatio, 2), width = this.place.clientWidth, height = this.place.clientHeight;
    for (const c of this.canvases) {
      if (c.width !== Math.round(width * scale) || c.height !== Math.round(height * scale)) {
        c.width = Math.round(width * scale);
        c.height = Math.round(height * scale);
      }
      const pen = c.getContext("2d");
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      pen.clearRect(0, 0, width, height);
    }
    this.layOut(width, height);
    this.drawAxes(this.canvases[1].getContext("2d"));
    this.drawLines(this.canvases[0].getContext("2d"));
    this.drawKeys();
  }

  // layOut places the axes, and every value on them.
  layOut(width, height) {
    const p = this.figure.parallel;
    if (this.placed && this.placed.width === width && this.placed.parallel === p) return;
    const x = p.axes.map((_, dim) => margin.left + (width - margin.left - margin.right) * (p.axes.length > 1 ? dim / this.last : 0.5));
    const ends = p.axes.map((_, dim) => axisEnds(p, dim));
    const place = (dim, v) => height - margin.bottom - (height - margin.top - margin.bottom) * (v - ends[dim][0]) / (ends[dim][1] - ends[dim][0]);
    const value = (dim, y) => ends[dim][0] + (ends[dim][1] - ends[dim][0]) * (height - margin.bottom - y) / (height - margin.top - margin.bottom);
    const y = p.columns.map((c, dim) => Float32Array.from(c, (v) => place(dim, onAxis(p, dim, v))));
    this.placed = { parallel: p, width, height, x, y, place, value, groups: costClasses(p.columns[this.last]) };
  }

  drawAxes(pen) {
    const t = theme(), p = this.figure.parallel, { x, place, height } = this.placed;
    pen.font = "12px system-ui, sans-serif";
    p.axes.forEach((a, dim) => {
      pen.strokeStyle = t.faint;
      pen.fillStyle = t.ink;
      pen.textAlign = "center";
      pen.fillText(a.name, x[dim], margin.top - 14, 110);
      pen.beginPath();
      pen.moveTo(x[dim], margin.top);
      pen.lineTo(x[dim], height - margin.bottom);
      pen.textAlign = "left";
      for (const [v, text] of axisTicks(p, dim)) {
        pen.moveTo(x[dim], place(dim, v));
        pen.lineTo(x[dim] + 4, place(dim, v));
        const room = Math.min(pen.measureText(text).width, 90);
        pen.save();
        pen.globalAlpha = 0.75;
        pen.fillStyle = t.ground;
        pen.fillRect(x[dim] + 6, place(dim, v) - 7, room + 2, 14);
        pen.restore();
        pen.fillText(text, x[dim] + 7, place(dim, v) + 4, 90);
      }
      pen.stroke();
      for (const [low, high] of this.ranges[dim] ?? []) {
        const top = Math.max(place(dim, high), margin.top), bottom = Math.min(place(dim, low), height - margin.bottom);
        pen.save();
        pen.globalAlpha = 0.35;
        pen.fillStyle = t.series[1];
        pen.fillRect(x[dim] - 9, top, 18, bottom - top);
        pen.restore();
        pen.strokeRect(x[dim] - 9, top, 18, bottom - top);
      }
    });
  }

  // drawLines draws each line between two axes once, in the colour of the best point on
  // it: values are few, so that thousands of points share their lines.
  drawLines(pen) {
    const { x, y, groups, height } = this.placed, colours = classColours(theme()), none = groups.length, rows = Math.ceil(height);
    const of = new Uint8Array(y[0].length).fill(none);
    groups.forEach((g, i) => { for (const r of g.rows) of[r] = i; });
    const best = new Uint8Array(rows * rows);
    for (let d = 0; d + 1 < x.length; d++) {
      best.fill(none);
      const lines = groups.map(() => []);
      for (const r of this.chosen) {
        if (of[r] === none) continue;
        const line = Math.round(y[d][r]) * rows + Math.round(y[d + 1][r]);
        best[line] = Math.min(best[line], of[r]);
      }
      for (let line = 0; line < best.length; line++) if (best[line] !== none) lines[best[line]].push(line);
      for (let i = groups.length - 1; i >= 0; i--) {
        pen.strokeStyle = colours[i];
        pen.globalAlpha = i < 2 ? 0.9 : 0.5;
        pen.lineWidth = i < 2 ? 1.6 : 0.8;
        for (const line of lines[i]) { // one at a time: paths of many lines are slow to fill
          pen.beginPath();
          pen.moveTo(x[d], Math.floor(line / rows));
          pen.lineTo(x[d + 1], line % rows);
          pen.stroke();
        }
      }
    }
    pen.globalAlpha = 1;
  }

  // drag chooses a range along the axis that it begins at; a press alone ends it.
  drag(e) {
    const { x, value, height } = this.placed, box = this.place.getBoundingClientRect();
    const at = (event) => Math.min(Math.max(event.clientY - box.top, margin.top), height - margin.bottom);
    const dim = x.findIndex((v) => Math.abs(v - (e.clientX - box.left)) < 16);
    if (dim < 0) return;
    e.preventDefault();
    const canvas = this.canvases[1], from = at(e);
    canvas.setPointerCapture(e.pointerId);
    const choose = (event) => {
      const to = at(event);
      this.range(dim, Math.abs(to - from) < 3 ? null : [[value(dim, Math.max(from, to)), value(dim, Math.min(from, to))]]);
    };
    canvas.addEventListener("pointermove", choose);
    canvas.addEventListener("pointerup", (event) => {
      canvas.removeEventListener("pointermove", choose);
      choose(event);
      this.showRange(dim);
    }, { once: true });
  }

  // range sets what is chosen on an axis.
  range(dim, intervals) {
    this.ranges[dim] = intervals;
    this.answer();
    if (this.drawn) this.draw();
  }

  // showRange has the lists of an axis say what was dragged.
  showRange(dim) {
    const [from, to] = this.brush.children[dim].querySelectorAll("select"), steps = this.steps(dim), interval = this.ranges[dim]?.[0];
    const within = steps.map((_, i) => i).filter((i) => !interval || steps[i][1] >= interval[0] && steps[i][1] <= interval[1]);
    from.selectedIndex = within.length ? within[0] : -1;
    to.selectedIndex = within.length ? within[within.length - 1] : -1;
  }

  drawKeys() {
    const colours = classColours(theme());
    this.legend.replaceChildren(...classes.map(([name], i) => {
      const key = el("span", { class: "key", "aria-hidden": "true" });
      key.style.background = colours[i];
      return el("span", {}, key, " ", name);
    }));
  }

  saveSVG() { save(fileName(this.figure.title, "svg"), "image/svg+xml", svgText(parallelOption(this.figure.parallel, light, this.figure.title, this.chosen), this.place.clientHeight + 60)); }

  table() {
    const { axes, columns, cost, unit } = this.figure.parallel;
    const rows = [[...axes.slice(0, -1).map((a) => a.name), unit ? `${cost} (${unit})` : cost]];
    for (const i of this.chosen) rows.push(columns.map((c, dim) => (dim === this.last ? c[i] : axes[dim].values[c[i]])));
    return rows;
  }
}
