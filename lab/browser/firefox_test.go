package browser

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// firefox names the variable with the program.
const firefox = "BENCH_FIREFOX"

// quiet keeps a new profile from asking the network for anything of its own.
const quiet = `user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.safebrowsing.downloads.enabled", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,");
user_pref("toolkit.telemetry.enabled", false);
`

// bidi is a session of WebDriver BiDi (W3C) with a Firefox.
type bidi struct {
	t       *testing.T
	socket  net.Conn
	tab     string
	last    int
	reports []string // what the console said and what was requested
}

// message is one of either direction.
type message struct {
	ID      int             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Type    string          `json:"type,omitempty"`
	Error   string          `json:"error,omitempty"`
	Message string          `json:"message,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
}

var listening = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

// startFirefox starts one for the test.
func startFirefox(t *testing.T) *bidi {
	t.Helper()
	program := os.Getenv(firefox)
	if program == "" {
		t.Skipf("needs %s: run tools/fetch-test-env firefox and source .cache/env.sh", firefox)
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	profile := t.TempDir()
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(quiet), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "--width", "1280", "--height", "1000")
	cmd.Env = append(os.Environ(), "HOME="+profile, "MOZ_DISABLE_CONTENT_SANDBOX=1")
	output, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := &bidi{t: t}
	t.Cleanup(func() {
		if b.socket != nil {
			b.socket.Close()
		}
		stop()
		_ = cmd.Wait() // it was ended
	})
	var said []string
	address := ""
	lines := bufio.NewScanner(output)
	for address == "" && lines.Scan() {
		said = append(said, lines.Text())
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			address = m[1]
		}
	}
	if address == "" {
		t.Fatalf("%s does not listen:\n%s", program, strings.Join(said, "\n"))
	}
	go func() {
		for lines.Scan() { // it would wait for a reader
		}
	}()
	if b.socket, _, _, err = ws.Dial(ctx, address+"/session"); err != nil {
		t.Fatal(err)
	}
	deadline, _ := ctx.Deadline()
	b.socket.SetDeadline(deadline)
	b.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	b.call("session.subscribe", map[string]any{"events": []string{"log.entryAdded", "network.beforeRequestSent"}}, nil)
	var tree struct {
		Contexts []struct{ Context string }
	}
	b.call("browsingContext.getTree", map[string]any{}, &tree)
	b.tab = tree.Contexts[0].Context
	return b
}

// call sends a command and waits for its result; events on the way are kept.
func (b *bidi) call(method string, params, result any) {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(message{ID: b.last, Method: method, Params: params})
	if err == nil {
		err = wsutil.WriteClientText(b.socket, text)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	for {
		text, err := wsutil.ReadServerText(b.socket)
		if err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
		var m message
		if err := json.Unmarshal(text, &m); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case m.Type == "event":
			b.reports = append(b.reports, string(text))
		case m.ID != b.last:
		case m.Type == "error":
			b.t.Fatalf("%s: %s: %s", method, m.Error, m.Message)
		default:
			if result != nil {
				if err := json.Unmarshal(m.Result, result); err != nil {
					b.t.Fatal(err)
				}
			}
			return
		}
	}
}

// open shows a report.
func (b *bidi) open(path string) {
	b.t.Helper()
	b.reports = nil
	b.call("browsingContext.navigate", map[string]any{"context": b.tab, "url": "file://" + path, "wait": "complete"}, nil)
	if got := b.text(`document.documentElement.dataset.ready ?? "not ready"`); got != "yes" {
		b.t.Fatalf("%s is %s: %q", path, got, b.reports)
	}
}

// text is what an expression gives as a text, promises awaited.
func (b *bidi) text(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	b.call("script.evaluate", map[string]any{"expression": expression, "target": map[string]any{"context": b.tab}, "awaitPromise": true}, &r)
	if e := r.ExceptionDetails.Text; e != "" {
		b.t.Fatalf("%s: %s", expression, e)
	}
	return r.Result.Value
}

// press is what a keyboard does.
func (b *bidi) press(keys ...string) {
	b.t.Helper()
	var actions []map[string]any
	for _, k := range keys {
		actions = append(actions, map[string]any{"type": "keyDown", "value": k}, map[string]any{"type": "keyUp", "value": k})
	}
	b.call("input.performActions", map[string]any{"context": b.tab, "actions": []any{map[string]any{"type": "key", "id": "keys", "actions": actions}}}, nil)
}

// complaints are what the console said, and what was requested but the page.
func (b *bidi) complaints(path string) (list []string) {
	for _, r := range b.reports {
		var e struct {
			Method string
			Params struct {
				Level, Text string
				Request     struct{ URL string }
			}
		}
		if err := json.Unmarshal([]byte(r), &e); err != nil {
			b.t.Fatal(err)
		}
		if u := e.Params.Request.URL; u != "file://"+path && !strings.HasPrefix(u, "blob:") && !strings.HasPrefix(u, "data:") { // a font of Firefox's own is data
			list = append(list, fmt.Sprint(e.Method, " ", e.Params.Level, " ", e.Params.Text, u))
		}
	}
	return list
}

func (b *bidi) picture(name string) {
	b.t.Helper()
	if *screenshots == "" {
		return
	}
	var shot struct{ Data string }
	b.call("browsingContext.captureScreenshot", map[string]any{"context": b.tab, "origin": "document"}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(*screenshots, name+".png"), png, 0o666)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// The keys of WebDriver.
const (
	keyEnter = "\ue007"
	keyRight = "\ue014"
	keyDown  = "\ue015"
)

// TestFirefox looks at a run, a search and hostile texts there, too.
func TestFirefox(t *testing.T) {
	b := startFirefox(t)
	const drawAll = `(() => { for (const c of document.querySelectorAll("section.source .chart")) c.view.drawn || c.view.draw(); return "drawn"; })()`
	looked := func(name, path string, look func()) {
		b.open(path)
		b.text(drawAll)
		look()
		b.text(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done("drawn"))))`)
		b.picture("firefox-" + name)
		for _, c := range b.complaints(path) {
			t.Errorf("%s: %s", name, c)
		}
	}
	contains := func(selector, part string) {
		t.Helper()
		if got := b.text(fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector)); !strings.Contains(got, part) {
			t.Errorf("%s lacks %q: %.500s", selector, part, got)
		}
	}
	looked("run", written(t, "h200-fft-peers"), func() {
		contains("main", "stockham at 17, cufft at 1")
		b.text(`(() => { document.querySelector(".chart").focus(); return ""; })()`)
		b.press(keyRight, keyDown)
		contains(".readout", "cufft: N 64")
		b.press(keyEnter)
		contains(".point", "bench run configs/fft-peers.json --set N=64 --versions cufft")
	})
	looked("search", written(t, "h200-tuning/fft-exhaustive"), func() {
		b.text(`(() => { const s = document.querySelector(".brush fieldset:last-child select:last-of-type"); s.selectedIndex = 0; s.dispatchEvent(new Event("change")); return ""; })()`)
		contains(".layers + .readout", "1 of 112 points chosen")
	})
	looked("hostile", kept(t, hostilePage()), func() {
		if got := b.text("String(window.broken)"); got != "undefined" {
			t.Error("a result's text has run")
		}
	})
}
