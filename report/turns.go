package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// readTurns returns the section of a folder of bench ab.
func readTurns(dir, name string) (*Section, error) {
	all, err := experiment.ReadTurns(dir)
	if err != nil {
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
	if t := picture.TurnsOf(all); t != nil {
		s.Figures = []Figure{stripsFigure(t)}
	}
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
