package iterml

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat"

	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/plots"
	"example.org/bench/plots/picture"
)

var update = flag.Bool("update", false, "write the tables anew")

const results = "../../results"

func folderOf(study Study) string { return filepath.Join(results, study.Folder) }

func number(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

// fixedTable is what the block sizes that developers choose reach, and what a
// search has to find.
func fixedTable(all []Space) [][]string {
	rows := [][]string{{"benchmark", "points", "optimum_s", "best_X", "best_Y", "median", "within_5pct",
		"at_64x1", "at_128x1", "at_256x1", "at_32x8", "best_of_64", "best_of_128", "best_of_256", "random_standard1", "random_standard2"}}
	for _, s := range all {
		row := []string{s.Name, strconv.Itoa(len(s.Fraction)), strconv.FormatFloat(s.OptimumSeconds, 'g', 6, 64),
			strconv.Itoa(s.Best.X), strconv.Itoa(s.Best.Y), number(s.Median()), strconv.Itoa(s.Within(0.95))}
		for _, b := range []Block{{64, 1}, {128, 1}, {256, 1}, {32, 8}} {
			row = append(row, number(s.Fraction[b]))
		}
		for _, threads := range []int{64, 128, 256} {
			_, f := s.OfThreads(threads)
			row = append(row, number(f))
		}
		rows = append(rows, append(row, strconv.Itoa(s.RandomSamples(0.5)), strconv.Itoa(s.RandomSamples(0.95))))
	}
	return rows
}

// leastTable is the least fraction over the benchmarks by block, best first.
func leastTable(all []Space) [][]string {
	least := Least(all)
	blocks := slices.SortedFunc(maps.Keys(least), func(a, b Block) int {
		return cmp.Or(cmp.Compare(least[b], least[a]), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})
	rows := [][]string{{"X", "Y", "least"}}
	for _, b := range blocks {
		rows = append(rows, []string{strconv.Itoa(b.X), strconv.Itoa(b.Y), number(least[b])})
	}
	return rows
}

// transferTable is what the best block sizes of other GPUs reach: those that the
// study gives, and those of the partner.
func transferTable(all, partner []Space, gpu string) [][]string {
	rows := [][]string{{"benchmark", "gpu", "X", "Y", "fraction"}}
	for i, s := range all {
		add := func(gpu string, b Block) {
			rows = append(rows, []string{s.Name, gpu, strconv.Itoa(b.X), strconv.Itoa(b.Y), number(s.Fraction[b])})
		}
		for _, gpu := range []string{"P100", "V100"} {
			add(gpu, Published[gpu][s.Name])
		}
		add(gpu, partner[i].Best)
	}
	return rows
}

// bayesianTable is what Bayesian search with the stop rule reaches, and what as
// many random samples do.
func bayesianTable(all []Space, replays []Replayed) ([][]string, error) {
	rows := [][]string{{"benchmark", "points", "evaluations", "median", "p05", "random_median"}}
	for _, s := range all {
		r, ok := Bayesian(replays, s.Name)
		if !ok {
			return nil, fmt.Errorf("%s: no search by bo", s.Name)
		}
		rows = append(rows, []string{s.Name, strconv.Itoa(len(s.Fraction)), strconv.FormatFloat(r.Evaluations, 'f', 1, 64),
			number(r.Median), number(r.Low), number(s.RandomBest(int(math.Round(r.Evaluations))))})
	}
	return rows, nil
}

// samplesTable is how many samples each model needs for each standard, and
// that by random's.
func samplesTable(all []Replayed) [][]string {
	rows := [][]string{{"benchmark", "standard", "random"}}
	for _, m := range Models {
		rows[0] = append(rows[0], m, m+"_pick", m+"_by_random")
	}
	for _, b := range Benchmarks {
		for standard := range 2 {
			r, _ := Samples(all, b, "random")
			row := []string{b, strconv.Itoa(standard + 1), strconv.Itoa(r[standard])}
			for _, m := range Models {
				s, pick := Samples(all, b, "iterml-"+m)
				if s[standard] == 0 || r[standard] == 0 {
					row = append(row, "", "", "")
					continue
				}
				row = append(row, strconv.Itoa(s[standard]), strconv.Itoa(pick[standard]), number(float64(s[standard])/float64(r[standard])))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// modelsTable sums up the models over the benchmarks.
func modelsTable(all []Replayed) [][]string {
	rows := [][]string{{"model", "standard", "benchmarks", "least", "median", "mean", "greatest"}}
	for _, m := range Models {
		for standard := 1; standard <= 2; standard++ {
			list := Normalised(all, m, standard)
			row := []string{m, strconv.Itoa(standard), strconv.Itoa(len(list))}
			if n := len(list); n > 0 {
				row = append(row, number(list[0]), number((list[(n-1)/2]+list[n/2])/2), number(stat.Mean(list, nil)), number(list[n-1]))
			} else {
				row = append(row, "", "", "", "")
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// The published tables follow from the published spaces.
func TestTables(t *testing.T) {
	spaces, replays := read(t)
	for i, study := range Studies {
		t.Run(study.Folder, func(t *testing.T) {
			testTables(t, study, spaces[i], replays[i], transferTable(spaces[i], spaces[1-i], Studies[1-i].GPU))
		})
	}
}

func testTables(t *testing.T, study Study, all []Space, replays []Replayed, transfers [][]string) {
	tables := map[string][][]string{
		"fixed.csv": fixedTable(all), "least.csv": leastTable(all), "transfer.csv": transfers,
		"samples.csv": samplesTable(replays), "models.csv": modelsTable(replays),
	}
	var err error
	if tables["bayesian.csv"], err = bayesianTable(all, replays); err != nil {
		t.Fatal(err)
	}
	for name, rows := range tables {
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folderOf(study), name)
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		published, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(published, b.Bytes()) {
			t.Errorf("%s is not what the spaces give; go test -C lab ./iterml -update writes it anew", path)
		}
	}
	for _, s := range all {
		// Random search as replayed and as computed agree.
		r, _ := Samples(replays, s.Name, "random")
		for i, probability := range []float64{0.5, 0.95} {
			exact := float64(s.RandomSamples(probability))
			if got := float64(r[i]); math.Abs(got-exact) > max(2, 0.25*exact) {
				t.Errorf("%s: random search needs %g samples for standard %d; computed %g", s.Name, got, i+1, exact)
			}
		}
		blocks := 0
		for b := range s.Fraction {
			if min(b.X, b.Y) >= 1 && b.X*b.Y <= mostThreads {
				blocks++
			}
		}
		if blocks != Whole() || len(s.Fraction) != blocks {
			t.Errorf("%s has %d points, not all %d", s.Name, len(s.Fraction), Whole())
		}
	}
}

// read are the studies' spaces and searches.
func read(t *testing.T) (spaces [len(Studies)][]Space, replays [len(Studies)][]Replayed) {
	t.Helper()
	for i, study := range Studies {
		var err error
		if spaces[i], err = ReadSpaces(folderOf(study)); err == nil {
			replays[i], err = ReadReplays(filepath.Join(folderOf(study), "replay.jsonl"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return spaces, replays
}

// Those spaces have their pictures that the study shows too.
func TestHeatMaps(t *testing.T) {
	for _, study := range Studies {
		t.Run(study.Folder, func(t *testing.T) {
			all, err := ReadSpaces(folderOf(study))
			if err != nil {
				t.Fatal(err)
			}
			maps := []picture.HeatMap{LeastMap(all)}
			for _, s := range all {
				if s.Name == "ldc" || s.Name == "syr2k" {
					maps = append(maps, s.HeatMap())
				}
			}
			testHeatMaps(t, maps, folderOf(study))
		})
	}
}

func testHeatMaps(t *testing.T, maps []picture.HeatMap, folder string) {
	files, err := plots.Screen.Write(plots.HeatMaps(maps), safefiletest.Hold(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	pictures := 0
	for _, f := range files {
		if filepath.Ext(f) != ".svg" {
			continue
		}
		pictures++
		published := filepath.Join(folder, filepath.Base(f))
		if *update {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(published, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if info, err := os.Stat(published); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v; go test -C lab ./iterml -update draws it", published, err)
		}
	}
	if pictures != len(maps) {
		t.Errorf("%d pictures of %d", pictures, len(maps))
	}
}

// A space whose answers are known.
func TestFractions(t *testing.T) {
	a := Space{Name: "a", Fraction: map[Block]float64{{1, 1}: 0.2, {2, 1}: 1, {1, 2}: 0.96, {2, 2}: 0}}
	b := Space{Name: "b", Fraction: map[Block]float64{{1, 1}: 0.5, {2, 1}: 0.1, {1, 2}: 0.4, {2, 2}: 1}}
	if best, f := a.OfThreads(2); best != (Block{2, 1}) || f != 1 {
		t.Errorf("best of 2 threads: %v, %g", best, f)
	}
	if got := a.Median(); got != 0.96 {
		t.Errorf("median %g", got)
	}
	// Of 4 points 2 are good: one draw finds one with probability 1/2, two with 5/6.
	for probability, want := range map[float64]int{0.5: 1, 0.83: 2, 0.84: 3, 0.95: 3} {
		if got := a.RandomSamples(probability); got != want {
			t.Errorf("samples for %g: %d; want %d", probability, got, want)
		}
	}
	if best, least := Universal([]Space{a, b}); best != (Block{1, 2}) || math.Abs(least-0.4) > 1e-15 {
		t.Errorf("universal: %v, %g", best, least)
	}
}

// The study's Table 1 gives the size of the whole space.
func TestWhole(t *testing.T) {
	if got := Whole(); got != 7262 {
		t.Errorf("the whole space has %d blocks; the study has 7262", got)
	}
}

// The median of the best of some draws, computed for a space of four.
func TestRandomBest(t *testing.T) {
	s := Space{Fraction: map[Block]float64{{1, 1}: 0.2, {2, 1}: 1, {1, 2}: 0.96, {2, 2}: 0}}
	for samples, want := range map[int]float64{1: 0.96, 2: 1, 4: 1} {
		if got := s.RandomBest(samples); got != want {
			t.Errorf("best of %d: %g, want %g", samples, got, want)
		}
	}
}
