package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

var columns = []string{"mutant", "file", "line", "kind", "was", "became", "outcome", "right_line", "point", "points", "report"}

// table is what is known of mutants, one a line.
type table struct {
	mu     sync.Mutex
	folder string
	file   *os.File
	has    map[string]bool
}

func openTable(folder string) (*table, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	t := &table{folder: folder, has: map[string]bool{}}
	rows, err := t.rows()
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		t.has[r["mutant"]] = true
	}
	if t.file, err = os.OpenFile(t.path(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		err = t.write(columns)
	}
	return t, err
}

func (t *table) path() string { return filepath.Join(t.folder, "mutants.csv") }

func (t *table) close() { t.file.Close() }

func (t *table) write(row []string) error {
	w := csv.NewWriter(t.file)
	if err := w.Write(row); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// rows are the mutants so far, by column.
func (t *table) rows() (list []map[string]string, err error) {
	f, err := os.Open(t.path())
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, row := range all[min(1, len(all)):] {
		r := map[string]string{}
		for i, name := range columns {
			r[name] = row[i]
		}
		list = append(list, r)
	}
	return list, nil
}

func (t *table) add(m mutant, v verdict) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := strings.Join(strings.Fields(m.Old), " ")
	became := strings.Join(strings.Fields(m.New), " ")
	if m.Dynamic {
		became = "4 bytes less"
	}
	fmt.Printf("%s %s: %s, %v, %.0f s\n", m.Kind, fmt.Sprintf("%s:%d", m.File, m.Line), v.Outcome, v.Right, v.Seconds)
	return t.write([]string{m.id(), m.File, strconv.Itoa(m.Line), string(m.Kind), was, became, string(v.Outcome),
		strconv.FormatBool(v.Right), v.Point, strconv.Itoa(v.Points), v.Report})
}
