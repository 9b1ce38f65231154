package record

import (
	"encoding/json"
	"strings"
	"testing"

	"example.org/bench/framework/config"
)

// run.json holds a config as JSON, in which a reader finds its keys; what is read again
// is the same config, with the same hash.
func TestExperimentIsJSON(t *testing.T) {
	text := "{ \"algorithm\": \"fft\",\n\t\"sweep_arg\": { \"N\": [1e3, 4096] } }\n"
	c, err := config.Parse("fft.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.MarshalIndent(ConfigOf(c), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(written), "\"sweep_arg\": {\n") || !strings.Contains(string(written), "1e3") {
		t.Errorf("%s", written)
	}
	var back ConfigFile
	if err := json.Unmarshal(written, &back); err != nil {
		t.Fatal(err)
	}
	again, err := config.Parse(back.Path, []byte(back.Text))
	if err != nil || again.Hash != c.Hash || back.Hash != c.Hash || again.OldHash == c.OldHash {
		t.Errorf("hash %.12s of %s, was %.12s, %v", again.Hash, back.Text, c.Hash, err)
	}
}

// Files up to 0.9 hold the config's text, whose bytes they hash.
func TestExperimentOfOldFiles(t *testing.T) {
	var f ConfigFile
	if err := json.Unmarshal([]byte(`{"path": "a.json", "sha256": "ab", "text": "{\"algorithm\": \"fft\"}\n", "set": ["N=4"]}`), &f); err != nil {
		t.Fatal(err)
	}
	if f.Text != "{\"algorithm\": \"fft\"}\n" || f.Path != "a.json" || f.Hash != "ab" || len(f.Set) != 1 {
		t.Errorf("%+v", f)
	}
	if again, err := json.Marshal(f); err != nil || !strings.Contains(string(again), `"experiment":"{\"algorithm\": \"fft\"}\n"`) {
		t.Errorf("written again, with the hash of its bytes: %s, %v", again, err)
	}
	if b, err := json.Marshal(Experiment("no JSON")); err != nil || string(b) != `"no JSON"` {
		t.Errorf("%s, %v", b, err)
	}
}
