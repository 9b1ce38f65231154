package guest

import (
	"encoding/base64"
	"flag"
	"os"
	"strings"
	"testing"
)

var boardFile = flag.String("board", "", "have ./bench measure the guest by bench board into this file, instead of all tests")

// TestBoard: a guest's owner gets a board file, with the power that the kernel's drivers show. It takes half an hour.
func TestBoard(t *testing.T) {
	if *boardFile == "" {
		t.Log("-board FILE makes one") // what it holds is tested without a guest
		return
	}
	out := boot(t, "board")
	text, err := base64.StdEncoding.DecodeString(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(out["guest.zip"]), "== end")))
	if err != nil {
		t.Fatalf("%v\n%s", err, out["board"])
	}
	t.Log(out["board"])
	if err := os.WriteFile(*boardFile, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
