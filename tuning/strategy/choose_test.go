package strategy

import (
	"strings"
	"testing"
)

// Strategies and their settings are chosen by name; a mistake names what there is.
func TestChoose(t *testing.T) {
	chosen, err := Choose([]string{"best", "random"})
	if err != nil || len(chosen) != 2 || chosen[0].Name != "best" || chosen[1].Name != "random" {
		t.Fatalf("%v, %v", chosen, err)
	}
	settings, err := Settings(chosen, []string{"trust=4"})
	if err != nil || len(settings) != 1 || settings["trust"] != 4 {
		t.Errorf("%v, %v", settings, err)
	}
	for _, c := range []struct {
		strategies, settings []string
		want                 string
	}{
		{[]string{"best", "best"}, nil, "--strategy best is given twice"},
		{[]string{"bets"}, nil, `--strategy "bets" is none of best, exhaustive, random`},
		{[]string{"best", "random"}, []string{"trust"}, `--option "trust" is not NAME=NUMBER`},
		{[]string{"best", "random"}, []string{"trust=x"}, `--option "trust=x" is not NAME=NUMBER`},
		{[]string{"best", "random"}, []string{"thrust=1"}, "--option thrust: best, random has no such setting"},
		{[]string{"best", "random"}, []string{"trust=-1"}, "--option trust=-1: "},
	} {
		chosen, err := Choose(c.strategies)
		if err == nil {
			_, err = Settings(chosen, c.settings)
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v %v: %v, want %s", c.strategies, c.settings, err, c.want)
		}
	}
	for _, s := range All() {
		if !strings.Contains(List(), s.Name+" ") || !strings.Contains(List(), s.Doc) {
			t.Errorf("%s is not listed", s.Name)
		}
	}
}
