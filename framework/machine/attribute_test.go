package machine

import (
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
)

// busy answers EAGAIN so many times, then with its text.
type busy struct {
	text         string
	again, reads int
}

func (b *busy) ReadAt(p []byte, off int64) (int, error) {
	if b.reads++; b.reads <= b.again {
		return 0, syscall.EAGAIN
	}
	return strings.NewReader(b.text).ReadAt(p, off)
}

func TestReadWhole(t *testing.T) {
	text := make([]byte, 32)
	f := &busy{text: "-392\n", again: attempts - 1}
	if v, err := ReadWhole(f, text); err != nil || v != -392 || f.reads != attempts {
		t.Errorf("after EAGAIN: %d, %v in %d reads", v, err, f.reads)
	}
	f = &busy{text: "1", again: attempts}
	if v, err := ReadWhole(f, text); !errors.Is(err, syscall.EAGAIN) || f.reads != attempts {
		t.Errorf("with lasting EAGAIN: %d, %v in %d reads", v, err, f.reads)
	}
	if _, err := ReadWhole(strings.NewReader(""), text); !errors.Is(err, io.EOF) {
		t.Errorf("an empty file gives error %v", err)
	}
}

// TestAllBitsAreNoValue: a counter alone may stand at such a number.
func TestAllBitsAreNoValue(t *testing.T) {
	text := make([]byte, 32)
	for number, ok := range map[string]bool{"2147483647\n": false, "4294967295\n": false, "2147483646\n": true, "4294967294\n": true, "4294967296\n": true, "-1\n": true} {
		if v, err := ReadWhole(strings.NewReader(number), text); (err == nil) != ok || !ok && (v != 0 || !strings.Contains(err.Error(), "all bits set")) {
			t.Errorf("%q is %d, %v", number, v, err)
		}
		if v, err := ReadCounter(strings.NewReader(number), text); err != nil || v == 0 {
			t.Errorf("a counter of %q is %d, %v", number, v, err)
		}
	}
}

func TestParseWhole(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "12\n": 12, "-45\n": -45, "7 mW\n": 7} {
		if got, err := parseWhole([]byte(text)); err != nil || got != want {
			t.Errorf("%q is %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "\n", "-", "x", "12x", "1.5", "1234567890123456789"} {
		if got, err := parseWhole([]byte(text)); err == nil {
			t.Errorf("%q is %d, want an error", text, got)
		}
	}
}
