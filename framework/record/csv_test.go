package record

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// readBack writes structs as gocsv does and reads them back from rows with other columns,
// with and without a prefix.
func readBack[T comparable](t *testing.T) {
	t.Helper()
	texts := []string{"", "ok", `a "quoted", one`, "two\nlines"}
	reals := []float64{0, math.Copysign(0, -1), 1, -2.5, 1.0 / 3, 1e-9, 6.02e23, math.Inf(-1), math.Inf(1), 5e-324}
	want := make([]*T, len(reals))
	for i := range want {
		want[i] = new(T)
		v := reflect.ValueOf(want[i]).Elem()
		for _, f := range reflect.VisibleFields(v.Type()) {
			switch at := v.FieldByIndex(f.Index); x := at.Addr().Interface().(type) {
			case *Number:
				if *x = numberOf(reals[i]); i == 1 {
					*x = Number{}
				}
			case *Count:
				if *x = Counted(int64(i) << 55); i == 1 {
					*x = Count{}
				}
			case interface{ UnmarshalText([]byte) error }:
				for _, text := range []string{"CPU", "failed"} { // a processor, a status
					if x.UnmarshalText([]byte(text)) == nil {
						break
					}
				}
			default:
				switch at.Kind() {
				case reflect.String:
					at.SetString(texts[i%len(texts)])
				case reflect.Int:
					at.SetInt(int64(i - 3))
				}
			}
		}
	}
	var none T
	for _, prefix := range []string{"", "hot_"} {
		made := newTable(len(want))
		made.addColumn("before", TextCell, func(int) string { return "x" })
		if err := addStructs(made, prefix, want); err != nil {
			t.Fatal(err)
		}
		made.addColumn("behind", TextCell, func(int) string { return "x" })
		if len(made.kinds) != len(made.header) {
			t.Errorf("%T: %d kinds of %d columns", want[0], len(made.kinds), len(made.header))
		}
		for i, x := range want {
			if x != nil && *x == none {
				want[i] = nil // a row without a cell has none
			}
		}
		s, err := readStructs[T](made.header, prefix)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := s.read(made.rows)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%T: %v\n%+v\nwant\n%+v", want[0], err, got, want)
		}
		if got, _, err := s.read(made.rows[:2]); err != nil || !reflect.DeepEqual(got, want[:2]) {
			t.Errorf("%T: fewer rows behind more: %v, %+v", want[0], err, got)
		}
	}
}

func TestStructsAreReadBack(t *testing.T) {
	readBack[Key](t)
	readBack[Outcome](t)
	readBack[Statistics](t)
	readBack[Timing](t)
	readBack[Verification](t)
	readBack[Conditions](t)
	readBack[Neighbours](t)
	readBack[WorkRates](t)
	readBack[MemoryRates](t)
	readBack[Power](t)
	readBack[Energy](t)
	readBack[Rate](t)
	readBack[Counting](t)
	readBack[Origin](t)
}

// TestNoStructHasEmptyCells: a row may be without what is rare.
func TestNoStructHasEmptyCells(t *testing.T) {
	made := newTable(2)
	if err := addStructs(made, "", []*Power{nil, {Calibration: "x"}}); err != nil {
		t.Fatal(err)
	}
	if a, b := strings.Join(made.rows[0], ""), strings.Join(made.rows[1], ""); a != "" || b != "x" || len(made.rows[0]) != len(made.header) {
		t.Errorf("%q, %q of %q", made.rows[0], made.rows[1], made.header)
	}
}
