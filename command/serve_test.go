package command_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestServeLines: a program asks for judgements, a line each, and the process ends with its input.
func TestServeLines(t *testing.T) {
	t.Parallel()
	task, err := filepath.Abs("../configs/judge/transpose.json")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(benchPath, "serve")
	cmd.Dir = t.TempDir()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ask := func(id int, body string) {
		line, err := json.Marshal(map[string]any{"id": id, "method": "judge", "params": map[string]any{"task": task, "name": "mine.cu", "source": transposed(body), "device": "sim"}})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(in, "%s\n", line)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	answer := func() (id int, verdict string) {
		var r struct {
			ID     int
			Error  string
			Result judgement
		}
		if !lines.Scan() {
			t.Fatalf("no answer: %v", lines.Err())
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil || r.Error != "" {
			t.Fatalf("%v in %s", err, lines.Text())
		}
		return r.ID, r.Result.Verdict
	}
	ask(1, tiled)
	if id, verdict := answer(); id != 1 || verdict != "verified" {
		t.Errorf("%d: %s", id, verdict)
	}
	ask(2, strings.Replace(tiled, "    __syncthreads();\n", "\n", 1))
	ask(3, "    nonsense;")
	in.Close()
	var got []string
	for range 2 {
		id, verdict := answer()
		got = append(got, fmt.Sprint(id, " ", verdict))
	}
	slices.Sort(got)
	if strings.Join(got, ", ") != "2 wrong, 3 does not compile" {
		t.Errorf("%v", got)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the process ends with %v", err)
	}
}

// TestServeProtocol: a client of the Model Context Protocol finds the tools with their schemas, has a
// kernel judged, and gets what is wrong as an error of the tool.
func TestServeProtocol(t *testing.T) {
	t.Parallel()
	task, err := filepath.Abs("../configs/judge/transpose.json")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(benchPath, "serve", "--mcp")
	cmd.Dir, cmd.Stderr = t.TempDir(), os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.InputSchema == nil || tool.OutputSchema == nil || tool.Description == "" {
			t.Errorf("%s has no schema or no description", tool.Name)
		}
		if tool.Name == "judge" {
			text, _ := json.Marshal(tool.InputSchema)
			if !strings.Contains(string(text), `"required":["task"]`) || !strings.Contains(string(text), "text of the candidate") {
				t.Errorf("the schema of judge: %s", text)
			}
		}
	}
	slices.Sort(names)
	if want := "doctor judge list tune validate verify why"; strings.Join(names, " ") != want {
		t.Errorf("tools %v; want %s", names, want)
	}
	call := func(tool string, arguments map[string]any) (*mcp.CallToolResult, string) {
		t.Helper()
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			return &mcp.CallToolResult{IsError: true}, err.Error()
		}
		text := ""
		for _, c := range r.Content {
			if c, ok := c.(*mcp.TextContent); ok {
				text += c.Text
			}
		}
		return r, text
	}
	for body, want := range map[string]string{tiled: `"verdict":"verified"`, strings.ReplaceAll(tiled, "x < n && ", ""): `"line":"mine.cu:`} {
		r, text := call("judge", map[string]any{"task": task, "name": "mine.cu", "source": transposed(body), "device": "sim"})
		if r.IsError || !strings.Contains(text, want) || r.StructuredContent == nil {
			t.Errorf("judge: %s", text)
		}
	}
	for name, c := range map[string]struct {
		tool      string
		arguments map[string]any
		want      string
		wrong     bool
	}{
		"validate":  {"validate", map[string]any{"config": task}, `"good":true`, false},
		"verify":    {"verify", map[string]any{"subject": task, "device": "sim"}, `"ok":`, false},
		"list":      {"list", map[string]any{}, `"name":"fft"`, false},
		"doctor":    {"doctor", map[string]any{}, `"findings":`, false},
		"no task":   {"judge", map[string]any{"task": "none.json", "file": "x.cu"}, "none.json: no such file", true},
		"no GPU":    {"judge", map[string]any{"task": task, "name": "mine.cu", "source": transposed(tiled), "device": "cuda:77"}, "cuda:77", true},
		"key":       {"judge", map[string]any{"task": task, "nmae": "mine.cu"}, "nmae", true},
		"no config": {"validate", map[string]any{}, "config", true},
	} {
		r, text := call(c.tool, c.arguments)
		if r.IsError != c.wrong || !strings.Contains(text, c.want) {
			t.Errorf("%s: %t, %.2000s", name, r.IsError, text)
		}
	}
	if err := session.Close(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
}
