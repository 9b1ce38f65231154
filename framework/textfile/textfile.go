// Package textfile reads text that others wrote: it passes over the mark that
// spreadsheets and editors put before UTF-8, and says what is wrong with what is no
// such text.
package textfile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// mark is the byte order mark, which stands before no word of a text.
const mark = "\ufeff"

var errUTF16 = errors.New("the text is UTF-16; save it as UTF-8")

func isUTF16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
}

// Plain is a text without its mark.
func Plain(text []byte) ([]byte, error) {
	if isUTF16(text) {
		return nil, errUTF16
	}
	return bytes.TrimPrefix(text, []byte(mark)), nil
}

// Read is the text of a file without its mark.
func Read(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if text, err = Plain(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// headBytes is how much of a table's first line is looked at.
const headBytes = 4 << 10

// CSV reads a table. One whose columns are not separated by commas, as spreadsheets save
// them in many languages, is refused.
func CSV(in io.Reader) (*csv.Reader, error) {
	plain := bufio.NewReaderSize(in, headBytes)
	head, _ := plain.Peek(headBytes)
	if isUTF16(head) {
		return nil, errUTF16
	}
	if bytes.HasPrefix(head, []byte(mark)) {
		plain.Discard(len(mark))
	}
	first, _, _ := strings.Cut(string(head), "\n")
	for separator, name := range map[string]string{";": "semicolons", "\t": "tabs"} {
		if strings.Contains(first, separator) && !strings.Contains(first, ",") {
			return nil, fmt.Errorf("its columns are separated by %s, as a spreadsheet saves them; want commas, and numbers with a point", name)
		}
	}
	return csv.NewReader(plain), nil
}

// Table is all rows of a file with a table, the header first.
func Table(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := CSV(f)
	var all [][]string
	if err == nil {
		all, err = rows.ReadAll()
	}
	if err == nil && len(all) == 0 {
		err = errors.New("empty file, want a header line")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}
