package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
)

// texts returns the texts of an SVG, and fails the test if it is not XML.
func texts(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(b))
	var all []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(all, "\n")
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if c, ok := token.(xml.CharData); ok {
			if s := strings.TrimSpace(string(c)); s != "" {
				all = append(all, s)
			}
		}
	}
}

func TestAllDrawsWhatWasMeasured(t *testing.T) {
	all := runs()
	for run, want := range map[string]string{
		"sweep":  "time time_hot peer_speed ceiling_share flops throughput power energy flops_per_joule bytes_per_joule overview roofline samples N-64 N-128 N-256 N-512 N-1Ki N-2Ki N-4Ki N-8Ki N-16Ki N-32Ki N-64Ki N-128Ki N-256Ki N-512Ki N-1Mi N-2Mi N-4Mi N-8Mi",
		"single": "time time_hot peer_speed ceiling_share flops throughput power energy flops_per_joule bytes_per_joule energy_time roofline samples",
		"mixed":  "time time_hot ceiling_share flops throughput power energy flops_per_joule bytes_per_joule overview roofline_cuda-0 roofline_cpu",
	} {
		dir := t.TempDir()
		files, err := All(all[run], dir, safefiletest.Hold(t, dir), Screen)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range files {
			if name, ok := strings.CutSuffix(filepath.Base(f), ".svg"); ok {
				names = append(names, strings.TrimPrefix(name, "fft_"))
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: figures %s, want %s", run, got, want)
		}
		entries, _ := filepath.Glob(filepath.Join(dir, Folder, "*.*"))
		inFolders, _ := filepath.Glob(filepath.Join(dir, Folder, "*", "*"))
		entries = append(entries, inFolders...)
		if len(entries) != len(files) || len(files) != len(formats)*len(names) {
			t.Errorf("%s: %d files on disk, %d named, %d figures", run, len(entries), len(files), len(names))
		}
		for _, f := range files {
			if strings.HasSuffix(f, ".png") {
				b, _ := os.ReadFile(f)
				im, err := png.Decode(bytes.NewReader(b))
				if err != nil || im.Bounds().Dx() != 1152 {
					t.Errorf("%s: %v", f, err)
				}
			}
		}
	}
}

func TestFiguresSayWhatTheyShow(t *testing.T) {
	dir := t.TempDir()
	if _, err := All(runs()["sweep"], dir, safefiletest.Hold(t, dir), Screen); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]string{
		"time":       {"fft: time of one run", "NVIDIA H200, precision f32, direction forward; on the GPU with cold caches", "time of one run (ms)", "N", "64", "1Ki", "4Mi", "stockham", "cufft (peer)", "radix-2", "wrong, failed or timeout"},
		"flops":      {"rate of operations", "TFLOP/s"},
		"peer_speed": {"fft: speed relative to cufft", "bands: 95 % interval"},
		"throughput": {"throughput (TB/s)", "measured copy 4.230 TB/s"},
		"power":      {"power (W)"},
		"energy":     {"energy of one run (mJ)"},
		"roofline":   {"fft: roofline", "copy 4.230 TB/s", "FMA f32 65.00 TFLOP/s", "numbers beside the points: N", "8Mi", "nominal operations per byte (FLOP/B)"},
	} {
		got := texts(t, filepath.Join(dir, Folder, "fft_"+file+".svg"))
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q; it says:\n%s", file, w, got)
			}
		}
	}
}

func TestRunWithoutPowerHasNoPowerFigure(t *testing.T) {
	s := newSynthetic()
	s.add("fftw", 64, 0.9, onCPU(1))
	s.add("fftw", 128, 0.9, onCPU(1))
	r := s.run(sizes)
	r.Info.Devices = nil
	var names []string
	for _, f := range figures(r) {
		names = append(names, f.name)
	}
	if want := []string{"time", "ceiling_share", "flops", "throughput"}; !slices.Equal(names, want) {
		t.Errorf("figures %q, want %q", names, want)
	}
}

func TestRunWithoutAnyValueHasNoFigure(t *testing.T) {
	if f := figures(record.NewRun(record.Info{}, "p", nil, nil)); len(f) != 0 {
		t.Errorf("%d figures of no points", len(f))
	}
	s := newSynthetic()
	s.add("stockham", 64, 0.9, withoutTimes(record.Failed, "no memory"))
	s.add("stockham", 128, 0.9, withoutTimes(record.Wrong, "NaN"))
	if f := figures(s.run(sizes)); len(f) != 0 {
		t.Errorf("%d figures of points without values", len(f))
	}
}

func TestAllUnwritableFile(t *testing.T) {
	run := runs()["one"]
	dir := t.TempDir()
	occupied := filepath.Join(dir, Folder, run.Prefix+"_time.svg")
	if err := os.MkdirAll(occupied, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := All(run, dir, safefiletest.Hold(t, dir), Screen); err == nil || !strings.Contains(err.Error(), occupied) {
		t.Errorf("error %v, want one that names the file", err)
	}
}

// written is one text on a page, as drawn.
type written struct {
	text string
	box  vg.Rectangle
}

// recorded draws a page and returns its parts, and the texts that are not
// rotated.
func recorded(p page) (boxes, []written, []recorder.Action) { return recordedFor(p, Screen) }

func recordedFor(p page, m Medium) (boxes, []written, []recorder.Action) {
	var rec recorder.Canvas
	b := p.draw(draw.NewCanvas(&rec, m.width, p.height(m)), m)
	var all []written
	rotated := []bool{false}
	for _, a := range rec.Actions {
		switch a := a.(type) {
		case *recorder.Push:
			rotated = append(rotated, rotated[len(rotated)-1])
		case *recorder.Pop:
			rotated = rotated[:len(rotated)-1]
		case *recorder.Rotate:
			rotated[len(rotated)-1] = true
		case *recorder.FillString:
			if rotated[len(rotated)-1] {
				continue
			}
			// Digits and capitals are 0.72 of the font's size high.
			height := a.Font.Size * 0.72
			all = append(all, written{a.String, vg.Rectangle{
				Min: a.Point, Max: vg.Point{X: a.Point.X + textWidth(a), Y: a.Point.Y + height},
			}})
		}
	}
	return b, all, rec.Actions
}

func textWidth(a *recorder.FillString) vg.Length {
	return textStyle(a.Font.Size, ink).Width(a.String)
}

func intersect(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

func TestLegendDoesNotCoverData(t *testing.T) {
	for name, run := range runs() {
		for _, f := range figures(run) {
			b, all, _ := recorded(f.page)
			if intersect(b.legend, b.data) || intersect(b.title, b.data) {
				t.Errorf("%s, %s: legend %v or title %v over data %v", name, f.name, b.legend, b.title, b.data)
			}
			if b.data.Size().X < Screen.width/3 || b.data.Size().Y < barStep {
				t.Errorf("%s, %s: only %v for the data", name, f.name, b.data.Size())
			}
			// Where the texts of the legend really are.
			for _, e := range f.page.content.legend() {
				for _, line := range e.lines(Screen.width - 2*margin) {
					found := false
					for _, w := range all {
						if w.text == line {
							found = true
							if intersect(w.box, b.data) {
								t.Errorf("%s, %s: the legend's %q is over the data", name, f.name, line)
							}
						}
					}
					if !found {
						t.Errorf("%s, %s: the legend's %q was not drawn", name, f.name, line)
					}
				}
			}
		}
	}
}

func TestTextsAreOnThePageAndApart(t *testing.T) {
	for name, f := range kinds(t) {
		for _, m := range Media() {
			_, all, _ := recordedFor(f.page, m)
			paper := vg.Rectangle{Max: vg.Point{X: m.width, Y: f.page.height(m)}}
			for i, w := range all {
				if w.box.Min.X < 0 || w.box.Min.Y < 0 || w.box.Max.X > paper.Max.X || w.box.Max.Y > paper.Max.Y {
					t.Errorf("%s, %s: %q at %v leaves the page", name, m.Name, w.text, w.box)
				}
				for _, v := range all[:i] {
					if intersect(w.box, v.box) {
						t.Errorf("%s, %s: %q and %q overlap", name, m.Name, v.text, w.text)
					}
				}
			}
		}
	}
	for name, run := range runs() {
		for _, f := range figures(run) {
			_, all, _ := recorded(f.page)
			for i, w := range all {
				for _, v := range all[:i] {
					if intersect(w.box, v.box) {
						t.Errorf("%s, %s: %q and %q overlap", name, f.name, v.text, w.text)
					}
				}
			}
		}
	}
}

// strokes are the paths drawn in a colour.
func strokes(actions []recorder.Action, c color.Color) []vg.Path {
	var all []vg.Path
	var now color.Color
	for _, a := range actions {
		switch a := a.(type) {
		case *recorder.SetColor:
			now = a.Color
		case *recorder.Stroke:
			if now == c {
				all = append(all, a.Path)
			}
		}
	}
	return all
}

func TestPointAtFaultIsMarkedAndNotConnected(t *testing.T) {
	for _, status := range []record.Status{record.OK, record.Wrong, record.Failed, record.Timeout, record.Skipped} {
		s := newSynthetic()
		for i, v := range values(64, 1024) {
			s.add("stockham", v.Int(), 0.5, func(r *record.Result) {
				if i == 2 && status != record.OK {
					withoutTimes(status, "why")(r)
				}
			})
		}
		f := figures(s.run(sizes))[0]
		_, _, actions := recorded(f.page)
		c := f.page.content.(*chart)
		crossing, marks := 0, 0
		middle := func(data vg.Rectangle) vg.Length {
			// 256 is halfway from 64 to 1024 on a log axis.
			return (data.Min.X + data.Max.X) / 2
		}
		b, _, _ := recorded(f.page)
		for _, p := range strokes(actions, palette[0]) {
			var last vg.Point
			for i, comp := range p {
				if comp.Type == vg.LineComp && i > 0 && last.X < middle(b.data)+1 && comp.Pos.X > middle(b.data)-1 && comp.Pos.X-last.X > 20 {
					crossing++
				}
				last = comp.Pos
			}
			if len(p) == 2 && math.Abs(float64(p[0].Pos.X-p[1].Pos.X)) < 12 && math.Abs(float64((p[0].Pos.X+p[1].Pos.X)/2-middle(b.data))) < 1 && math.Abs(float64(p[0].Pos.Y-p[1].Pos.Y)) > 2 {
				marks++
			}
		}
		fault := status == record.Wrong || status == record.Failed || status == record.Timeout
		if (crossing > 0) != (status == record.OK) {
			t.Errorf("%s: %d segments end at or cross the point", status, crossing)
		}
		if fault != (marks == 2) || fault != c.faults {
			t.Errorf("%s: %d strokes of a cross", status, marks)
		}
	}
}

func TestMoreLinesThanAFigureHolds(t *testing.T) {
	all := runs()
	for run, want := range map[string]struct {
		figures int // of time
		lines   int // in the first
		note    string
	}{
		"axes":   {1, 6, ""},           // 3 versions at 2 precisions
		"panels": {6, 3, "f32, batch"}, // 3 versions at 6 settings
		"tuning": {1, 1, "fastest of the tunings"},
		"many":   {1, 14, ""}, // nothing to split by
	} {
		var time []figure
		for _, f := range figures(all[run]) {
			if strings.HasPrefix(f.name, "time") && !strings.HasPrefix(f.name, "time_hot") {
				time = append(time, f)
			}
		}
		if len(time) != want.figures {
			t.Errorf("%s: %d figures of time, want %d", run, len(time), want.figures)
			continue
		}
		if c := time[0].page.content.(*chart); len(c.lines) != want.lines {
			t.Errorf("%s: %d lines, want %d", run, len(c.lines), want.lines)
		}
		if !strings.Contains(time[0].page.note, want.note) {
			t.Errorf("%s: note %q, want it to say %q", run, time[0].page.note, want.note)
		}
	}
}

func TestSweptTunableIsTheAbscissa(t *testing.T) {
	c, ok := figures(runs()["tunable"])[0].page.content.(*chart)
	if !ok {
		t.Fatal("no chart of lines")
	}
	if c.x.Label != "P" || len(c.lines) != 1 || len(c.lines[0].Points) != 5 || !c.x.Log {
		t.Errorf("abscissa %+v, lines %+v", c.x, c.lines)
	}
}

func TestAbscissaHasItsUnit(t *testing.T) {
	if c := figures(runs()["linear"])[0].page.content.(*chart); c.x.Label != "N (B)" {
		t.Errorf("label %q", c.x.Label)
	}
}

func TestFastestTuningIsShownEverywhere(t *testing.T) {
	for _, f := range figures(runs()["tuning"]) {
		if f.name != "power" {
			continue
		}
		// The fastest tuning has efficiency 0.2 + 0.1·log2(8·256/64) = 0.7.
		for _, p := range f.page.content.(*chart).lines[0].Points {
			if math.Abs(p.Y-490) > 1e-9 {
				t.Errorf("power %v at %v, want 490 W of the fastest tuning", p.Y, p.X)
			}
		}
	}
}

// Names of foreign results may hold what XML cannot, or what it means something
// by.
func TestNamesOfAnyCharacters(t *testing.T) {
	run := runs()["sweep"]
	for i := range run.Rows {
		run.Rows[i].Version = "<b>&\x1b[2J\x00\u009b\u202e\xff" + run.Rows[i].Version
	}
	dir := t.TempDir()
	files, err := All(run, dir, safefiletest.Hold(t, dir), Screen)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, ".svg") {
			if text := texts(t, f); !strings.Contains(text, "<b>&") {
				t.Errorf("%s: %s", f, text)
			}
		}
	}
}
