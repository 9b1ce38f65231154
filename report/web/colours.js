// Colours of figures by theme. The palette is Okabe and Ito's for colour vision
// deficiencies ("Color Universal Design"), without its yellow, which is too pale on
// white; on dark ground its dark colours are lighter.

const light = {
  ink: "#1b1b1b", faint: "#5c5c5c", grid: "#dedede", ground: "#ffffff", limit: "#444444",
  series: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#808080"],
};
const dark = {
  ink: "#ececec", faint: "#b0b0b0", grid: "#3d3d3d", ground: "#17191c", limit: "#c8c8c8",
  series: ["#4aa8e8", "#ff8a3d", "#2fcf9f", "#e39cc4", "#f2b632", "#8fd0f7", "#f0f0f0", "#a0a0a0"],
};

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

function theme() {
  const chosen = document.documentElement.dataset.theme;
  if (printing || chosen === "light") return light;
  return chosen === "dark" || prefersDark.matches ? dark : light;
}

function colourOf(series, t) {
  return series.colour < 0 ? t.limit : t.series[series.colour % t.series.length];
}

// Shapes go on where colours begin anew. Hollow marks are kept for doubtful values.
const symbols = [
  "circle", "rect", "triangle", "diamond", "path://M0,0 L10,0 L5,10 Z", "path://M3,0 H7 V3 H10 V7 H7 V10 H3 V7 H0 V3 H3 Z",
  "path://M5,0 L6.5,3.5 L10,3.8 L7.3,6.2 L8.1,10 L5,8 L1.9,10 L2.7,6.2 L0,3.8 L3.5,3.5 Z", "path://M2.5,0 H7.5 L10,5 L7.5,10 H2.5 L0,5 Z",
];

// cross is kept for what failed.
const cross = "path://M0,0 L10,10 M10,0 L0,10";

function symbolOf(series) {
  const i = Math.max(0, series.colour);
  return symbols[(i + Math.floor(i / light.series.length)) % symbols.length];
}

const dashes = ["solid", [6, 3], [2, 2], [8, 3, 2, 3]];

function dashOf(series) {
  if (series.mark === "limit") return [5, 3];
  return dashes[Math.floor(Math.max(0, series.colour) / light.series.length) % dashes.length];
}

// heat is a colour from good (0) to bad (1): of even steps in lightness, after
// viridis (van der Walt and Smith).
const heatStops = [[253, 231, 37], [122, 209, 81], [34, 168, 132], [42, 120, 142], [65, 68, 135], [68, 1, 84]];
function heat(share) {
  const at = Math.min(Math.max(share, 0), 1) * (heatStops.length - 1);
  const i = Math.min(Math.floor(at), heatStops.length - 2);
  const mix = heatStops[i].map((c, k) => Math.round(c + (heatStops[i + 1][k] - c) * (at - i)));
  return `rgb(${mix.join(",")})`;
}

// shareColour goes from white at 0 to blue at 1, as in the files of bench plot.
function shareColour(share) {
  const mix = [[255, 0], [255, 114], [255, 178]].map(([from, to]) => Math.round(from + share * (to - from)));
  return `rgb(${mix.join(",")})`;
}
