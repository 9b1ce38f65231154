package record

import (
	"encoding/csv"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/gocarina/gocsv"
)

// sameCells compares the cells of a struct with gocsv's, which reads them back.
func sameCells[T any](t *testing.T) {
	t.Helper()
	texts := []string{"", "ok", `a "quoted", one`, "two\nlines"}
	reals := []float64{0, math.Copysign(0, -1), 1, -2.5, 1.0 / 3, 1e-9, 6.02e23, math.NaN(), math.Inf(1), 5e-324}
	list := make([]T, len(reals))
	for i := range list {
		v := reflect.ValueOf(&list[i]).Elem()
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
			default:
				switch at.Kind() {
				case reflect.String:
					at.SetString(texts[i%len(texts)])
				case reflect.Int:
					at.SetInt(int64(i - 3))
				case reflect.Float64:
					at.SetFloat(reals[i])
				}
			}
		}
	}
	var want strings.Builder
	if err := gocsv.MarshalCSV(list, gocsv.NewSafeCSVWriter(csv.NewWriter(&want))); err != nil {
		t.Fatal(err)
	}
	made := newTable(len(list))
	if err := addStructs(made, "", func(i int) *T { return &list[i] }); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := csv.NewWriter(&got).WriteAll(append([][]string{made.header}, made.rows...)); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() || len(made.kinds) != len(made.header) {
		t.Errorf("%T:\n%s\nwant\n%s", list, got.String(), want.String())
	}
}

func TestCellsAreGocsvs(t *testing.T) {
	sameCells[Key](t)
	sameCells[Outcome](t)
	sameCells[Statistics](t)
	sameCells[Timing](t)
	sameCells[Verification](t)
	sameCells[Conditions](t)
	sameCells[WorkRates](t)
	sameCells[MemoryRates](t)
	sameCells[Power](t)
	sameCells[Energy](t)
	sameCells[Rate](t)
	sameCells[Origin](t)
}

// TestNoCell: a field that cannot be written is an error, not an empty cell.
func TestNoCell(t *testing.T) {
	type odd struct {
		List []int `csv:"list"`
	}
	if err := addStructs(newTable(1), "", func(int) *odd { return &odd{} }); err == nil || !strings.Contains(err.Error(), "column list") {
		t.Errorf("%v", err)
	}
}
