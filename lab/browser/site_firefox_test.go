package browser

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestSiteFirefox reads a page of the site there, too: its policy for files, the search and
// the colours.
func TestSiteFirefox(t *testing.T) {
	site := siteOf(t)
	b := startFirefox(t)
	b.call("browsingContext.navigate", map[string]any{"context": b.tab, "url": "file://" + filepath.Join(site, "docs/others.html"), "wait": "complete"}, nil)
	light := b.text(`(() => { document.documentElement.dataset.theme === "dark" && document.getElementById("dark").click(); return getComputedStyle(document.body).backgroundColor; })()`)
	if dark := b.text(`(() => { document.getElementById("dark").click(); return getComputedStyle(document.body).backgroundColor; })()`); dark == light {
		t.Errorf("the button leaves the background %s", dark)
	}
	b.press("/")
	b.press(strings.Split("libcuda not found", "")...)
	const first = `new Promise((done) => { const look = () => { const a = document.querySelector("#found a"); a ? done(a.href) : setTimeout(look, 20); }; look(); })`
	if got := b.text(first); !strings.HasSuffix(got, "/docs/troubleshooting.html#nothing-runs-on-the-gpu") {
		t.Errorf("the first that is found is %s", got)
	}
	b.picture("firefox-site")
	for _, r := range b.reports {
		var e struct {
			Method string
			Params struct {
				Text    string
				Request struct{ URL string }
			}
		}
		if err := json.Unmarshal([]byte(r), &e); err != nil {
			t.Fatal(err)
		}
		if u := e.Params.Request.URL; u == "" && e.Params.Text != "" || u != "" && !strings.HasPrefix(u, "file://"+site+"/") && !strings.HasPrefix(u, "data:") && u != "about:blank" {
			t.Errorf("%s: %s %s", e.Method, e.Params.Text, u)
		}
	}
}
