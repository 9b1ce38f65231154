package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/gpu/cuda/driver/drivertest"
)

// standInSanitizer prints what compute-sanitizer's racecheck would, and runs the worker.
const standInSanitizer = `#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --tool) tool=$2; shift 2 ;;
    --log-file) log=$(echo "$2" | sed "s/%p/$$/"); shift 2 ;;
    --*) shift 2 ;;
    *) break ;;
  esac
done
echo "========= COMPUTE-SANITIZER" >"$log"
if [ $tool = racecheck ]; then
  echo "========= Error: Race reported between Write access at put(float *)+0x90 in put.cu:13" >>"$log"
  echo "=========     and Read access at put(float *)+0xa0 in put.cu:14 [2048 hazards]" >>"$log"
  echo "========= " >>"$log"
fi
echo "========= ERROR SUMMARY: 0 errors" >>"$log"
exec "$@"
`

// verify --sanitize runs the tools that there are, with a stand-in driver, and reads what
// they report; without them it says so in a line.
func TestVerifySanitizes(t *testing.T) {
	stub := drivertest.Build(t)
	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(stub.Path)+":"+os.Getenv("LD_LIBRARY_PATH"))
	folder, tools := t.TempDir(), t.TempDir()
	write(t, filepath.Join(folder, "put.json"), `{"algorithm": {"cuda": {"source": "put.ptx", "arguments": [{"name": "x", "type": "f32", "size": 4, "use": "output"}],
 "kernels": [{"name": "nothing", "grid": 1, "block": 4, "arguments": []}], "verify": {"none": "the driver is a stand-in"}}}}`)
	write(t, filepath.Join(folder, "put.ptx"), ".version 7.0\n.target sm_50\n.visible .entry nothing() { ret; }\n")
	run := func(args ...string) (int, string, string) {
		return execute(t, folder, benchPath, append([]string{"verify", "put.json", "--sanitize"}, args...)...)
	}
	if status, _, errOut := run(); status != 1 || !strings.Contains(errOut, "--sanitize needs NVIDIA's compute-sanitizer: it is not in PATH") || strings.Count(errOut, "\n") != 1 {
		t.Errorf("without it: status %d, %s", status, errOut)
	}
	if status, _, errOut := run("--device", "sim"); status != 2 || !strings.Contains(errOut, "--sanitize checks on a GPU") {
		t.Errorf("in the simulator: status %d, %s", status, errOut)
	}
	path := filepath.Join(tools, "compute-sanitizer")
	if err := os.WriteFile(path, []byte(standInSanitizer), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools+":"+os.Getenv("PATH"))
	status, out, errOut := run()
	want := `put on cuda:0, memcheck: nothing found; points: 1 ok, 0 bad, 0 skipped
put on cuda:0, racecheck: 1 found; points: 1 ok, 0 bad, 0 skipped
  kernel put: put.cu:13: race of a write with a read at put.cu:14 (2048 hazards)
put on cuda:0, initcheck: nothing found; points: 1 ok, 0 bad, 0 skipped
put on cuda:0, synccheck: nothing found; points: 1 ok, 0 bad, 0 skipped
`
	if status != 1 || out != want {
		t.Errorf("status %d, got\n%s%s\nwant\n%s", status, out, errOut, want)
	}
	status, out, _ = run("--json")
	if status != 1 || strings.Count(out, `"tool"`) != 5 || !strings.Contains(out, `"place": "put.cu:13"`) {
		t.Errorf("status %d: %s", status, out)
	}
}
