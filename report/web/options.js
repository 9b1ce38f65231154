// From a figure to what ECharts draws. What it draws on an axis is the share of the
// axis's length, from 0 to 1, whose ends and ticks the data has: it computes nothing of
// values, which may be of any size.

// place puts a value on its axis; null where it has no place.
function place(axis, x) {
  if (x === null || x === undefined) return null;
  if (axis.names) return x;
  const { from, to } = axis.drawn;
  const share = axis.log ? (Math.log(x) - Math.log(from)) / (Math.log(to) - Math.log(from)) : (x - from) / (to - from);
  return axis.log && !(x > 0) ? null : Math.min(Math.max(share, 0), 1);
}

// textWidth is about the width of a text of an axis.
function textWidth(text) { return 6.8 * [...text].length; }

// some are the first of every n, as many as there is room for.
function some(list, most) {
  const every = Math.max(1, Math.ceil(list.length / Math.max(1, Math.floor(most))));
  return list.filter((_, i) => i % every === 0);
}

// ticks are the places of an axis with their texts, as many as the length has room for.
function ticks(axis, isX, length) {
  const all = axis.names ? axis.names.map((name, i) => [i, name]) : axis.drawn.at.map((v, i) => [place(axis, v), axis.drawn.texts[i]]);
  if (!isX) return some(all, length / 15);
  const widest = Math.min(150, Math.max(0, ...all.map(([, text]) => textWidth(text))));
  return some(all, axis.names ? Math.max(1, length / Math.max(widest, 40)) : length / (widest + 12));
}

// leftOf is the room on the left of a figure.
function leftOf(axis) {
  if (axis.names) return nameWidth(axis) + 48;
  return 40 + Math.max(24, ...axis.drawn.texts.map(textWidth));
}

function axisOption(axis, t, isX, length, lying) {
  const at = ticks(axis, isX, length), texts = new Map(at), values = at.map(([v]) => v);
  const ends = axis.names ? [-0.5, axis.names.length - 0.5] : [0, 1];
  return {
    type: "value", min: ends[0], max: ends[1], interval: ends[1] - ends[0], name: axis.names ? axis.title : axis.drawn.label, nameMoveOverlap: false, nameLocation: "middle",
    nameGap: isX ? 30 : leftOf(axis) - (axis.names ? 30 : 22), inverse: !!lying,
    nameTextStyle: { color: t.ink, fontSize: 13 }, axisLine: { show: true, onZero: false, lineStyle: { color: t.faint } },
    axisTick: { show: true, customValues: values, lineStyle: { color: t.faint } },
    axisLabel: {
      customValues: values, color: t.ink, fontSize: 12, hideOverlap: true, showMinLabel: true, showMaxLabel: true,
      width: axis.names ? (isX ? Math.max(40, length / at.length - 6) : nameWidth(axis)) : undefined, overflow: "truncate",
      formatter: (v) => texts.get(v) ?? "",
    },
    splitLine: { show: !axis.names, lineStyle: { color: t.grid } },
  };
}

// nameWidth is the room that an axis of names has on the left.
function nameWidth(axis) {
  return Math.min(300, 14 + 6.6 * Math.max(...axis.names.map((n) => n.length), 4));
}

// optionOf is a figure of that size for ECharts; hidden are names of series that are not shown.
function optionOf(figure, t, width, height, hidden, legend) {
  const lying = !!figure.y.names && !figure.cells;
  const left = leftOf(figure.y), top = legend ? 64 : 16, bottom = 48;
  const option = {
    animation: false, backgroundColor: t.ground, textStyle: { fontFamily: "system-ui, sans-serif" },
    grid: { left, right: 24, top, bottom, containLabel: false, outerBoundsMode: "none" },
    xAxis: axisOption(figure.x, t, true, width - left - 24),
    yAxis: axisOption(figure.y, t, false, height - top - bottom, lying),
    series: [],
  };
  if (figure.cells) {
    option.series.push(heatSeries(figure, t));
    return option;
  }
  const names = [], crowd = new Map();
  figure.series.forEach((s, i) => {
    if (hidden.has(s.name)) return;
    names.push(s.name);
    if (s.low && s.mark === "step") option.series.push(bandSeries(figure, s, i, t));
    else if (s.low) option.series.push(intervalSeries(figure, s, i, t, lying));
    option.series.push(s.mark === "bar" ? barSeries(figure, s, i, t) : markSeries(figure, s, i, t));
    if (s.failed) option.series.push(failedSeries(figure, s, i, t, lying, crowd));
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

// failedSeries has a cross at the edge for each point that failed; crowd counts those at
// a place, which stand side by side.
function failedSeries(figure, s, i, t, lying, crowd) {
  const colour = colourOf(s, t);
  return {
    id: `f${i}`, name: s.name, type: "scatter", color: colour, z: 4, symbol: cross, symbolSize: 9, itemStyle: { color: "none", borderColor: colour, borderWidth: 2 },
    emphasis: { scale: 1.7 },
    data: s.failed.map((k) => {
      const value = lying ? [0, place(figure.y, s.y[k])] : [place(figure.x, s.x[k]), 0];
      const n = crowd.get(String(value)) ?? 0;
      crowd.set(String(value), n + 1);
      return { value, symbolOffset: lying ? [8 + 12 * n, 0] : [0, -7 - 12 * n] };
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
  const colour = colourOf(s, t), doubtful = new Set(s.doubtful ?? []), from = (k) => s.from?.[k] ?? 0;
  return {
    id: `s${i}`, name: s.name, type: "custom", z: 3, color: colour, data: s.x.map((x, k) => [place(figure.x, s.among ? x : from(k) + x), s.y[k], place(figure.x, from(k))]),
    renderItem: (params, api) => {
      const [x0, y] = api.coord([api.value(2), api.value(1)]), [x1] = api.coord([api.value(0), api.value(1)]);
      const size = Math.abs(api.size([0, 1])[1]), thick = Math.min(18, s.among ? (size / (s.among + 0.8)) * 0.84 : size * 0.7);
      return { type: "rect", shape: { x: Math.min(x0, x1), y: y - thick / 2, width: Math.abs(x1 - x0), height: thick }, style: doubtful.has(params.dataIndex) ? { fill: t.ground, stroke: colour, lineWidth: 1.5 } : { fill: colour } };
    },
  };
}

// heatSeries colours cells by their shares of the best and writes these where there is room; what has
// no point stays empty, and what has no valid one has a cross.
function heatSeries(figure, t) {
  return {
    id: "s0", name: figure.title, type: "custom", data: figure.shares.flatMap((row, y) => row.map((share, x) => [x, y, share])),
    renderItem: (params, api) => {
      const share = api.value(2), [x, y] = api.coord([api.value(0), api.value(1)]), [w, h] = api.size([1, 1]).map(Math.abs), gap = Math.min(w, h) > 8 ? 1 : 0;
      if (share === 0) return null;
      if (!Number.isFinite(share)) return { type: "path", shape: { pathData: `M${x - 3},${y - 3} L${x + 3},${y + 3} M${x - 3},${y + 3} L${x + 3},${y - 3}` }, style: { stroke: t.faint, lineWidth: 1.3, fill: "none" } };
      const shape = { x: x - w / 2 + gap, y: y - h / 2 + gap, width: w - 2 * gap, height: h - 2 * gap };
      const children = [{ type: "rect", shape, style: { fill: shareColour(share) }, emphasis: { style: { stroke: t.ink, lineWidth: 2 } } }];
      const text = String(Math.round(100 * share));
      if (w > textWidth(text) + 4 && h > 14) children.push({ type: "text", silent: true, style: { x, y, text, fill: share > 0.6 ? "#fff" : "#222", fontSize: 11, align: "center", verticalAlign: "middle" } });
      return { type: "group", children };
    },
  };
}
