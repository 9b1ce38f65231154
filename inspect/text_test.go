package inspect_test

import (
	"testing"

	"bench/inspect"
)

// A reason that several findings have stands below them; what is missing has a colour.
func TestExaminationText(t *testing.T) {
	const long = "there is none: install the package that has it, or give its path in an environment variable"
	e := inspect.Examination{Findings: []inspect.Finding{
		{Section: "Libraries", State: "ok", What: "a", Text: "b"},
		{Section: "Libraries", State: inspect.Missing, What: "c", Text: long},
		{Section: "Libraries", State: inspect.Missing, What: "d", Text: long},
		{Section: "Settings", State: inspect.Note, What: "e", Text: "f"},
		{Section: "Settings", State: inspect.Warning, What: "g", Text: "h"},
	}}
	want := "Libraries\n  ok       a              b\n" +
		"  \x1b[33mmissing \x1b[m c              [1]\n  \x1b[33mmissing \x1b[m d              [1]\n" +
		"Settings\n           e              f\n  \x1b[33mwarning \x1b[m g              h\n[1] " + long + "\n"
	if got := e.Text(true); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}

func TestBundleText(t *testing.T) {
	var b inspect.Bundle
	b.Files = []inspect.BundledFile{{Name: "etc/os-release", Text: []byte("12345")}, {Name: "version.txt", Text: []byte("1")}}
	if got, want := b.Text(), "       5  etc/os-release\n       1  version.txt\n       6  bytes in 2 files"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
