package parquet_test

import (
	"io"
	"strings"
	"testing"

	"example.org/bench/command/export/parquet"
)

func TestUnequalColumns(t *testing.T) {
	err := parquet.Write(io.Discard, "a test", []parquet.Column{{Name: "a", Null: make([]bool, 2)}, {Name: "b", Null: make([]bool, 3)}})
	if err == nil || !strings.Contains(err.Error(), "column b has 3 rows, want 2") {
		t.Error(err)
	}
}
