// Package textfile reads text that others wrote, within the bounds of package bounded. It skips the mark
// that spreadsheets and editors put before UTF-8, and says what is wrong with a file that is no text.
package textfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"example.org/bench/internal/bounded"
)

// mark is the byte order mark, which stands before no word of a text.
const mark = "\ufeff"

var errUTF16 = errors.New("the text is UTF-16; save it as UTF-8")

func isUTF16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
}

// Plain returns a text without its mark.
func Plain(text []byte) ([]byte, error) {
	if isUTF16(text) {
		return nil, errUTF16
	}
	return bytes.TrimPrefix(text, []byte(mark)), nil
}

// headBytes is the number of bytes of a text that are checked before it is read.
const headBytes = 4 << 10

// Reader returns a reader of a text without its mark, however long it is.
func Reader(in io.Reader) (*bufio.Reader, error) {
	plain := bufio.NewReaderSize(in, 64<<10)
	head, _ := plain.Peek(len(mark)) // Read has the error
	if isUTF16(head) {
		return nil, errUTF16
	}
	if string(head) == mark {
		if _, err := plain.Discard(len(mark)); err != nil {
			return nil, err
		}
	}
	return plain, nil
}

// Read returns the text of a file without its mark. The file is at most as large as a document.
func Read(path string) ([]byte, error) {
	text, err := bounded.ReadFile(path, bounded.MostDocument)
	if err != nil {
		return nil, err
	}
	if text, err = Plain(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// ReadJSON reads a JSON document. Errors but those of the system begin with the path.
func ReadJSON(path string, v any) error {
	text, err := Read(path)
	if err != nil {
		return err
	}
	if err = bounded.Texts(text); err == nil {
		err = bounded.Unmarshal(text, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
