// From a figure to what ECharts draws. Logarithms are taken here, so that ticks may
// stand at 1, 2 and 5 and at powers of two.

// place puts a value on its axis.
function place(axis, x) {
  if (x === null || x === undefined) return null;
  if (!axis.log) return x;
  return x > 0 ? Math.log10(x) : null;
}

// span are the ends of an axis, with room beside them, placed.
function span(axis, values) {
  if (axis.names) return [-0.5, axis.names.length - 0.5];
  let low = Infinity, high = -Infinity;
  for (const v of values) {
    const p = place(axis, v);
    if (p === null) continue;
    low = Math.min(low, p);
    high = Math.max(high, p);
  }
  if (low > high) return [0, 1];
  const room = high > low ? (high - low) * 0.06 : axis.log ? 0.15 : Math.abs(high) * 0.1 || 1;
  if (!axis.log && low >= 0 && low <= (high - low) * 2) return [0, high + room];
  return [low - room, high + room];
}

// ticks are the values, placed, at which an axis has lines and numbers.
function ticks(axis, [low, high], values, most) {
  if (axis.names) return axis.names.map((_, i) => i);
  if (axis.log) return logTicks(low, high, values, most);
  const raw = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw);
  const list = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-6; i++) list.push(i * step);
  return list;
}

function logTicks(low, high, values, most) {
  const swept = [...new Set(values)].filter((v) => v > 0);
  if (swept.length > 1 && swept.every((v) => Number.isInteger(Math.log2(v)) && v >= 1)) {
    const from = Math.log2(Math.min(...swept)), to = Math.log2(Math.max(...swept));
    const step = Math.max(1, Math.ceil((to - from + 1) / most));
    const list = [];
    for (let e = from; e <= to; e += step) list.push(e * Math.log10(2));
    return list;
  }
  const of = (factors, step) => {
    const list = [];
    for (let e = Math.floor(low); e <= high; e++) {
      if (e % step !== 0) continue;
      for (const f of factors) {
        const t = e + Math.log10(f);
        if (t >= low && t <= high) list.push(t);
      }
    }
    return list;
  };
  const decades = of([1], 1);
  if (decades.length > most) return of([1], Math.ceil(decades.length / most));
  let best = decades;
  for (const factors of [[1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7], [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]]) {
    const list = of(factors, 1);
    if (list.length > most) break;
    best = list;
    if (list.length >= 4) break;
  }
  if (best.length >= 3) return best;
  // Less than a third of a decade: even steps.
  return ticks({}, [10 ** low, 10 ** high], [], most).filter((v) => v > 0).map(Math.log10);
}

// unlogged is 10^v without what rounding added to it.
function unlogged(v) {
  const x = 10 ** v, whole = Math.round(x);
  return Math.abs(x - whole) < 1e-9 * x ? whole : Number(x.toPrecision(9));
}

function axisOption(axis, ends, values, t, isX, width) {
  const most = isX ? Math.max(3, Math.floor(width / 90)) : 8;
  const at = ticks(axis, ends, values, axis.names && isX ? Infinity : most);
  return {
    type: "value", min: ends[0], max: ends[1], name: axis.title, nameMoveOverlap: false, nameLocation: "middle", nameGap: isX ? 30 : axis.names ? nameWidth(axis) + 18 : 88, inverse: !isX && !!axis.names,
    nameTextStyle: { color: t.ink, fontSize: 13 }, axisLine: { show: true, onZero: false, lineStyle: { color: t.faint } },
    axisTick: { show: true, customValues: at, lineStyle: { color: t.faint } },
    axisLabel: {
      customValues: at, color: t.ink, fontSize: 12, hideOverlap: true, showMinLabel: true, showMaxLabel: true,
      width: axis.names ? (isX ? Math.max(40, width / axis.names.length - 6) : nameWidth(axis)) : undefined, overflow: "truncate",
      formatter: (v) => {
        if (axis.names) return axis.names[Math.round(v)] ?? "";
        return scaled(axis.log ? unlogged(v) : v, axis.unit, 3);
      },
    },
    splitLine: { show: !axis.names, lineStyle: { color: t.grid } },
  };
}

// nameWidth is the room that an axis of names has on the left.
function nameWidth(axis) {
  return Math.min(300, 14 + 6.6 * Math.max(...axis.names.map((n) => n.length), 4));
}

function gathered(figure, of) {
  const all = [];
  for (const s of figure.series ?? []) for (const column of of(s)) if (column) for (const v of column) all.push(v);
  return all;
}

// optionOf is a figure for ECharts; hidden are names of series that are not shown.
function optionOf(figure, t, width, hidden, legend) {
  const lying = !!figure.y.names && !figure.cells;
  const xValues = gathered(figure, (s) => (lying ? [s.x, s.low, s.high] : [s.x]));
  const yValues = gathered(figure, (s) => (lying ? [s.y] : [s.y, s.low, s.high]));
  if ((figure.series ?? []).some((s) => s.mark === "bar")) xValues.push(0);
  const xEnds = span(figure.x, xValues), yEnds = span(figure.y, yValues);
  const marks = (figure.series ?? []).filter((s) => s.mark !== "limit");
  const xMarks = marks.flatMap((s) => s.x), yMarks = marks.flatMap((s) => s.y ?? []);
  const left = figure.y.names ? nameWidth(figure.y) + 48 : 116;
  const option = {
    animation: false, backgroundColor: t.ground, textStyle: { fontFamily: "system-ui, sans-serif" },
    grid: { left, right: 24, top: legend ? 64 : 16, bottom: 48, containLabel: false, outerBoundsMode: "none" },
    xAxis: axisOption(figure.x, xEnds, xMarks, t, true, width - left - 24),
    yAxis: axisOption(figure.y, yEnds, yMarks, t, false, width),
    series: [],
  };
  if (figure.cells) {
    option.series.push(heatSeries(figure, t));
    return option;
  }
  const names = [];
  figure.series.forEach((s, i) => {
    if (hidden.has(s.name)) return;
    names.push(s.name);
    if (s.low && s.mark === "step") option.series.push(bandSeries(figure, s, i, t));
    else if (s.low) option.series.push(intervalSeries(figure, s, i, t, lying));
    option.series.push(s.mark === "bar" ? barSeries(figure, s, i, t) : markSeries(figure, s, i, t));
  });
  if (legend) {
    option.title = { text: figure.title, left: 12, top: 6, textStyle: { color: t.ink, fontSize: 15 } };
    option.legend = { data: names, left: 12, top: 32, type: "plain", textStyle: { color: t.ink } };
  }
  return option;
}

function markSeries(figure, s, i, t) {
  const colour = colourOf(s, t), drawn = s.mark === "points" || s.mark === "line";
  const doubtful = new Set(s.doubtful ?? []);
  const many = s.x.length > 300;
  const plain = { color: colour, borderColor: colour, borderWidth: 1.5 }, hollow = { color: t.ground, borderColor: colour, borderWidth: 1.8 };
  return {
    id: `s${i}`, name: s.name, type: s.mark === "points" ? "scatter" : "line", color: colour, z: s.mark === "limit" ? 1 : 3,
    step: s.mark === "step" ? "end" : false, showSymbol: drawn, symbol: drawn ? symbolOf(s) : "none", symbolSize: many ? 4 : 8, silent: !drawn,
    lineStyle: { width: s.mark === "limit" ? 1.3 : 1.8, color: colour, type: dashOf(s) }, itemStyle: { color: colour },
    emphasis: { scale: 1.7, disabled: !drawn, itemStyle: { borderColor: t.ink, borderWidth: 2 } },
    data: s.x.map((x, k) => {
      const value = [place(figure.x, x), place(figure.y, s.y[k])];
      if (!drawn || many && !s.doubtful && !s.size) return value;
      return { value, itemStyle: doubtful.has(k) ? hollow : plain, symbolSize: s.size ? 6 + 12 * (s.size[k] ?? 0.5) : undefined };
    }),
  };
}

function intervalSeries(figure, s, i, t, lying) {
  const axis = lying ? figure.x : figure.y;
  return {
    id: `i${i}`, name: s.name, type: "custom", silent: true, z: 2, color: colourOf(s, t), clip: true,
    data: s.x.map((x, k) => [place(figure.x, x), place(figure.y, s.y[k]), place(axis, s.low[k]), place(axis, s.high[k])]),
    renderItem: (params, api) => {
      const low = api.value(2), high = api.value(3);
      if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
      const [a, b] = lying ? [api.coord([low, api.value(1)]), api.coord([high, api.value(1)])] : [api.coord([api.value(0), low]), api.coord([api.value(0), high])];
      const cap = (p) => (lying ? `M${p[0]},${p[1] - 4} V${p[1] + 4}` : `M${p[0] - 4},${p[1]} H${p[0] + 4}`);
      return { type: "path", shape: { pathData: `M${a[0]},${a[1]} L${b[0]},${b[1]} ${cap(a)} ${cap(b)}` }, style: { stroke: colourOf(s, t), lineWidth: 1.3, fill: "none" } };
    },
  };
}

// bandSeries fills from a step's value down to its lower end.
function bandSeries(figure, s, i, t) {
  return {
    id: `i${i}`, name: s.name, type: "custom", silent: true, z: 1, color: colourOf(s, t), clip: true, data: [[place(figure.x, s.x[0]), place(figure.y, s.y[0])]],
    renderItem: (params, api) => {
      const steps = (column) => s.x.flatMap((x, k) => {
        const at = (v) => api.coord([place(figure.x, x), place(figure.y, v) ?? 0]);
        return k > 0 ? [at(column[k - 1]), at(column[k])] : [at(column[k])];
      });
      return { type: "polygon", shape: { points: [...steps(s.y), ...steps(s.low).reverse()] }, style: { fill: colourOf(s, t), opacity: 0.18 } };
    },
  };
}

function barSeries(figure, s, i, t) {
  return {
    id: `s${i}`, name: s.name, type: "custom", z: 3, color: colourOf(s, t), data: s.x.map((x, k) => [x, s.y[k]]),
    renderItem: (params, api) => {
      const [x0, y] = api.coord([0, api.value(1)]), [x1] = api.coord([api.value(0), api.value(1)]);
      const thick = Math.min(18, Math.abs(api.size([0, 1])[1]) * 0.7);
      return { type: "rect", shape: { x: Math.min(x0, x1), y: y - thick / 2, width: Math.abs(x1 - x0), height: thick }, style: { fill: colourOf(s, t) } };
    },
  };
}

// heatSeries draws cells from the best value to the worst, on a logarithmic scale;
// what is not measured stays empty, what is invalid gets a cross.
function heatSeries(figure, t) {
  const known = figure.cells.flat().filter((v) => v !== null && v > 0);
  const low = Math.log(Math.min(...known)), high = Math.log(Math.max(...known));
  return {
    id: "s0", name: figure.title, type: "custom", data: figure.cells.flatMap((row, y) => row.map((v, x) => [x, y, v])),
    renderItem: (params, api) => {
      const [x, y] = api.coord([api.value(0), api.value(1)]), [w, h] = api.size([1, 1]).map(Math.abs), v = api.value(2);
      const shape = { x: x - w / 2 + 1, y: y - h / 2 + 1, width: w - 2, height: h - 2 };
      if (!Number.isFinite(v)) return { type: "rect", shape, style: { fill: "none", stroke: t.grid, lineWidth: 1 } };
      return { type: "rect", shape, style: { fill: heat(high > low ? (Math.log(v) - low) / (high - low) : 0) }, emphasis: { style: { stroke: t.ink, lineWidth: 2 } } };
    },
  };
}
