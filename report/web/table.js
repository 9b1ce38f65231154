// Tables that sort, filter and copy.

const mostRows = 200; // that a table shows at first

function tableView(table, choose) {
  let order = table.rows.map((_, i) => i);
  let sorted = -1, down = false, all = table.rows.length <= mostRows;
  const body = el("tbody");
  const count = el("p", { class: "count", role: "status" });
  const more = button("Show all rows", () => { all = true; fill(); });
  const filter = el("input", { type: "search", oninput: () => fill() });
  const heads = table.head.map((h, c) => el("th", { scope: "col", class: h.numeric ? "number" : null },
    button(h.name, () => {
      down = sorted === c ? !down : false;
      sorted = c;
      sort();
      fill();
    })));

  function sort() {
    const numeric = table.head[sorted].numeric && table.sort ? table.sort[sorted] : null;
    const side = down ? -1 : 1;
    order = table.rows.map((_, i) => i).sort((a, b) => {
      if (numeric) {
        const x = numeric[a], y = numeric[b];
        if (x !== null && y !== null) return side * (x - y) || a - b;
        if (x !== null || y !== null) return x === null ? 1 : -1; // without a value: last, either way
      }
      return side * table.rows[a][sorted].localeCompare(table.rows[b][sorted], "en", { numeric: true }) || a - b;
    });
    heads.forEach((th, c) => (c === sorted ? th.setAttribute("aria-sort", down ? "descending" : "ascending") : th.removeAttribute("aria-sort")));
  }

  function kept() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    return order.filter((i) => words.every((w) => table.rows[i].some((c) => c.toLowerCase().includes(w))));
  }

  function fill() {
    const rows = kept();
    body.replaceChildren(...rows.slice(0, all ? rows.length : mostRows).map((i) => {
      const point = table.point?.[i] ?? -1;
      return el("tr", {}, ...table.rows[i].map((text, c) => el("td", { class: table.head[c].numeric ? "number" : text.length > 24 ? "long" : "short" },
        c === 0 && point >= 0 ? button(text || "·", (e) => choose(point, e.target), { class: "link", "aria-label": `point ${text}: samples and command` }) : text)));
    }));
    count.textContent = rows.length === table.rows.length ? counted(rows.length, "row") : `${rows.length} of ${counted(table.rows.length, "row")}`;
    more.hidden = all || rows.length <= mostRows;
  }

  fill();
  const title = newID("table");
  const texts = () => [table.head.map((h) => h.name), ...kept().map((i) => table.rows[i])];
  return el("section", { class: "table", id: newID("part"), "data-name": table.title, "aria-labelledby": title }, el("h4", { id: title }, table.title),
    el("div", { class: "tools" }, el("label", {}, "Filter ", filter),
      button("Copy", () => copy(texts().map((r) => r.map((c) => c.replace(/\s+/g, " ")).join("\t")).join("\n"), "table")),
      button("Save CSV", () => save(fileName(table.title, "csv"), "text/csv", csv(base(table, kept()))))),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": title }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body)), count, table.note ? el("p", { class: "note" }, table.note) : null, more);
}

// base are a table's rows with numbers in base units, for a file.
function base(table, rows) {
  return [table.head.map((h) => h.name), ...rows.map((i) => table.rows[i].map((text, c) => {
    const x = table.head[c].numeric ? table.sort?.[c]?.[i] : null;
    return x ?? text;
  }))];
}
