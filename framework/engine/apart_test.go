package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.org/bench/framework/config"
)

// TestConfinedWorkerIsNotToldTheSeed: nothing that a confined worker gets has the seed, and it reads no files.
func TestConfinedWorkerIsNotToldTheSeed(t *testing.T) {
	const seed = 8123456789012345
	s := &setup{Options: Options{Config: &config.Config{Algorithm: "x"}, Choices: Choices{Seed: seed, Dump: "there"}}}
	c := s.forConfined()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), fmt.Sprint(uint64(seed))) || c.Seed == 0 || c.Dump != "" || !c.Confined || !c.Config.Closed {
		t.Errorf("it is told %s", text)
	}
	if s.Seed != seed || s.Confined || s.Config.Closed {
		t.Errorf("the keeper is told %+v", s)
	}
	if again := s.forConfined().Seed; again != c.Seed {
		t.Errorf("its own seed is %d, and then %d", c.Seed, again)
	}
}
