package report

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/internal/textfile"
)

// same is the share within which versions are called the same where a file of an
// earlier bench has no verdict.
const same = 0.01

// readTurns is the section of a folder of bench ab.
func readTurns(dir, name string) (*Section, error) {
	path := filepath.Join(dir, experiment.TurnsFile)
	var all experiment.Turns
	if err := textfile.ReadJSON(path, &all); err != nil {
		return nil, err
	}
	if err := judgeAgain(dir, &all); err != nil {
		return nil, err
	}
	s := &Section{Title: name, Kind: "two versions in turns", Where: where(all.Info), Warnings: slices.Clone(all.Info.Warnings), Facts: surroundings(all.Info), Verdict: said(all.Finding())}
	t := Table{Title: "problems", Head: []Head{{"problem", false}, {"A", false}, {"B", false}, {"A/A", true}, {"A/A, 95 % interval", false}, {"B/A by A/A", true},
		{"95 % interval", false}, {"p, adjusted", true}, {"verdict", false}, {"energy, B/A", true}, {"energy, 95 % interval", false}, {"energy, verdict", false}, {"verification", false}}}
	for _, p := range all.Pairs {
		s.Verdict = append(s.Verdict, pairVerdict(p))
		s.Failed = s.Failed || p.Failure != ""
		for _, n := range p.Notes {
			s.Facts = append(s.Facts, Fact{"note of " + p.Name, n})
		}
		if p.Result == nil {
			continue
		}
		r := p.Result
		if r.Differs() {
			s.Warnings = append(s.Warnings, fmt.Sprintf("%s: A differs from itself by more than chance, ratio %s: what comes second is treated differently on this machine", p.Name, r.Control.Text()))
		}
		none := cell{"", math.NaN()}
		row := []cell{word(p.Name), word(p.A.Version), word(p.B.Version), {r.Control.Text(), r.Control.Value}, word(meanEnds(r.Control)), none, word(""), none, word(""), none, word(""), word(""),
			word(strings.Trim(string(p.VerificationA)+", "+string(p.VerificationB), ", "))}
		if e := r.Effect; e != nil {
			row[5], row[6], row[7], row[8] = cell{e.Text(), e.Value}, word(meanEnds(e.Mean)), cell{number(e.Adjusted), e.Adjusted}, word(effectWord(e, "faster", "slower"))
		}
		if e := r.Energy; e != nil {
			row[9], row[10], row[11] = cell{e.Text(), e.Value}, word(meanEnds(e.Mean)), word(effectWord(e, "less energy", "more energy"))
		}
		t.add(-1, row...)
	}
	s.Figures = turnsFigures(all.Pairs)
	if len(t.Rows) > 0 {
		t.trim()
		s.Tables = append(s.Tables, t)
	}
	return s, nil
}

func meanEnds(m compare.Mean) string { return digits.Ends(m.Value, m.Low, m.High, "") }

// effectWord words the verdict on an effect.
func effectWord(e *compare.Effect, better, worse string) string {
	switch e.Verdict {
	case compare.Better:
		return better
	case compare.Worse:
		return worse
	case compare.Same:
		return "the same within " + digits.Percent(e.Within)
	}
	if !e.Bounded() {
		return "unknown, any difference is possible"
	}
	return "unknown, up to " + digits.Percent(e.Within) + " is possible"
}

// pairVerdict says what one problem shows.
func pairVerdict(p *experiment.Pair) string {
	switch {
	case p.Failure != "":
		return p.Name + ": " + p.Failure
	case p.Result == nil:
		return p.Name + ": no result"
	case p.Result.Effect == nil:
		c := p.Result.Control
		return fmt.Sprintf("%s: %s by itself, ratio %s (95 %% interval %s over %s); about %s is the smallest difference that shows here.", p.Name, p.A.Version, c.Text(), meanEnds(c),
			terminal.Count(len(c.Ratios), "repeat"), digits.Percent(p.Result.Smallest))
	}
	e := p.Result.Effect
	line := fmt.Sprintf("%s: %s takes %s times as long as %s (95 %% interval %s over %s): %s.", p.Name, p.B.Version, e.Text(), p.A.Version, meanEnds(e.Mean),
		terminal.Count(len(e.Ratios), "repeat"), effectWord(e, "it is faster", "it is slower"))
	if e := p.Result.Energy; e != nil {
		line += fmt.Sprintf(" Energy: %s times (%s): %s.", e.Text(), meanEnds(e.Mean), effectWord(e, "less", "more"))
	}
	return line
}

// turnsFigures are the ratios of each problem with their intervals, those shown to
// differ first, and every repeat of each.
func turnsFigures(pairs []*experiment.Pair) []Figure {
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(p *experiment.Pair) bool { return p.Result == nil })
	if len(pairs) == 0 {
		return nil
	}
	shown := func(p *experiment.Pair) int {
		if e := p.Result.Effect; e != nil && (e.Verdict == compare.Better || e.Verdict == compare.Worse) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(pairs, func(a, b *experiment.Pair) int { return shown(a) - shown(b) })
	f := Figure{Title: "ratio of median times", Note: "Means over the repeats with 95 % intervals; what is shown to differ stands first. A/A is a version by itself: what the machine reports where there is no difference.",
		X: Axis{Title: "ratio, below 1 is faster", Log: true}}
	var repeats []Figure
	control, effect := Series{Name: "A/A", Mark: MarkPoints, Colour: 7}, Series{Name: "B/A by A/A", Mark: MarkPoints, Colour: 0}
	add := func(s *Series, m compare.Mean, at int) {
		s.X, s.Y, s.Low, s.High = append(s.X, m.Value), append(s.Y, float64(at)), append(s.Low, m.Low), append(s.High, m.High)
	}
	for i, p := range pairs {
		f.Y.Names = append(f.Y.Names, p.Name)
		add(&control, p.Result.Control, i)
		r := Figure{Title: "repeats: " + p.Name, Group: "repeats", Note: "Each repeat has new instances of both.", X: Axis{Title: "repeat"}, Y: Axis{Title: "ratio of median times"}}
		r.Series = append(r.Series, ratiosByRepeat(p.A.Version+" by itself", 7, p.Result.Control.Ratios))
		if p.Result.Effect != nil {
			add(&effect, p.Result.Effect.Mean, i)
			if shown(p) == 1 {
				effect.Doubtful = append(effect.Doubtful, len(effect.X)-1)
			}
			r.Series = append(r.Series, ratiosByRepeat(p.B.Version+" / "+p.A.Version+", by A/A", 0, p.Result.Effect.Ratios))
		}
		repeats = append(repeats, r)
	}
	f.Series = append(f.Series, control)
	if len(effect.X) > 0 {
		f.Series = append(f.Series, effect)
	}
	f.Series = append(f.Series, Series{Name: "no difference", Mark: MarkLimit, Colour: -1, X: Reals{1, 1}, Y: Reals{-0.5, float64(len(pairs)) - 0.5}})
	if len(repeats) == 1 {
		repeats[0].Group = ""
	}
	return append([]Figure{f}, repeats...)
}

func ratiosByRepeat(name string, colour int, ratios []float64) Series {
	s := Series{Name: name, Mark: MarkLine, Colour: colour, Y: ratios}
	for i := range ratios {
		s.X = append(s.X, float64(i+1))
	}
	return s
}

// judgeAgain fills in what a file of an earlier bench names otherwise, from the ratios
// of ab.csv.
func judgeAgain(dir string, all *experiment.Turns) error {
	lacking := func(p *experiment.Pair) bool {
		return p.Result != nil && p.Result.Effect == nil && p.A.Version != p.B.Version
	}
	if !slices.ContainsFunc(all.Pairs, lacking) {
		return nil
	}
	path := filepath.Join(dir, "ab.csv")
	rows, _, err := textfile.ReadTable(path)
	if err != nil {
		return err
	}
	at := func(row []string, name string) string {
		if i := slices.Index(rows[0], name); i >= 0 && i < len(row) {
			return row[i]
		}
		return ""
	}
	var judged []*compare.Turns
	for _, p := range all.Pairs {
		if !lacking(p) {
			continue
		}
		var control, treatment []float64
		for _, row := range rows[1:] {
			ratio, err := strconv.ParseFloat(at(row, "ratio"), 64)
			switch {
			case at(row, "problem") != p.Name:
			case err != nil:
				return fmt.Errorf("%s: ratio is %q, no number", path, at(row, "ratio"))
			case at(row, "kind") == "control":
				control = append(control, ratio)
			default:
				treatment = append(treatment, ratio)
			}
		}
		if len(control) != len(treatment) {
			return fmt.Errorf("%s: %d repeats of A/A and %d of B/A at %s, want as many", path, len(control), len(treatment), p.Name)
		}
		if p.Result, err = compare.TurnsOf(control, treatment, nil, nil); err != nil {
			return fmt.Errorf("%s: %s: %w", path, p.Name, err)
		}
		judged = append(judged, p.Result)
	}
	compare.JudgeTurns(judged, same)
	return nil
}
