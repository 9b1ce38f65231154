// Package confined_test has candidates reach for what they must not have.
package confined_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"example.org/bench/test/program"
)

var bench string // the built program

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "bench-confined")
	if err != nil {
		panic(err)
	}
	bench = filepath.Join(folder, "bin", "bench")
	if err := program.Build("cmd/bench", "", bench); err != nil {
		panic(err)
	}
	cache, err := os.UserCacheDir() // of the simulator
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", cache)
	os.Setenv("BENCH_PLOTS", "none")
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// secret is what candidates are after.
const secret = "the-secret-of-the-house"

// place is a home with a task, which the judged aim at.
type place struct {
	home, task, c, cu string
	soonC, soonCU     string // as c and cu, with two seconds for what takes all of it
	limit             string // a command of the shell before each judgement
	address           string // of a listener
	met               atomic.Int32
}

func newPlace(t *testing.T) *place {
	t.Helper()
	// Less address space than the machine may have memory: the trial is no burden.
	p := &place{home: t.TempDir(), limit: "ulimit -v 12000000; "}
	p.task = filepath.Join(p.home, "task")
	p.write(t, "secret", secret)
	p.write(t, "task/right.c", "void right(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n")
	p.write(t, "task/start.c", "void twice(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n")
	p.write(t, "task/start.cu", "extern \"C\" __global__ void twice(const double *x, double *y, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }\n")
	const form = `{"algorithm": {"cuda": {"name": "twice", "params": [{"name": "N", "default": 100, "min": 1, "max": 1000}],
		"arguments": [{"name": "x", "type": "f64", "size": "N", "fill": {"random": [-1, 1]}}, {"name": "y", "type": "f64", "size": "N", "use": "output"}, {"name": "n", "type": "i32", "value": "N"}],
		"verify": {"c": {"source": "right.c", "function": "right"}, "at": [{"N": 64}]}, "versions": [%s]}},
		"sensors": [], "sweep_arg": {"N": [100]}, "measure": {"min_samples": 4, "min_time_s": 0.01, "timeout_s": 1, "point_timeout_s": 20, "ceilings": false},
		"judge": {"version": "mine", "baseline": "first", "repeats": 3}}`
	version := func(name string) string {
		return fmt.Sprintf(`{"name": %q, "c": {"source": "start.c", "function": "twice", "options": ["-fopenmp"]}}`, name)
	}
	both := func(name, versions string) (path, soon string) {
		text := fmt.Sprintf(form, versions)
		return p.write(t, "task/"+name, text), p.write(t, "task/soon-"+name, strings.Replace(text, `"point_timeout_s": 20`, `"point_timeout_s": 2`, 1))
	}
	p.c, p.soonC = both("c.json", version("first")+", "+version("mine"))
	version = func(name string) string {
		return fmt.Sprintf(`{"name": %q, "source": "start.cu", "kernels": [{"name": "twice", "grid": "ceil(N / 64)", "block": 64}]}`, name)
	}
	p.cu, p.soonCU = both("cu.json", version("first")+", "+version("mine"))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	local, err := net.Listen("unix", filepath.Join(p.home, "s"))
	if err != nil {
		t.Fatal(err)
	}
	p.address = fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)
	for _, l := range []net.Listener{listener, local} {
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				if _, err := l.Accept(); err != nil {
					return
				}
				p.met.Add(1)
			}
		}()
	}
	return p
}

func (p *place) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(p.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// said is what bench judge prints.
type said struct {
	Verdict, Reason, Line string
	Sandbox               struct {
		Landlock          int
		Seccomp           bool
		Confined, Missing []string
	}
	memory int64 // KiB that the judge, or a process of its, took at most
}

// judged gives the verdict on a candidate, of a task with little time where that is wanted soon, and all that was printed.
func (p *place) judged(t *testing.T, name, text string, soon bool) (said, string) {
	t.Helper()
	task, soonTask, device := p.c, p.soonC, "cpu"
	if strings.HasSuffix(name, ".cu") {
		task, soonTask, device = p.cu, p.soonCU, "sim"
	}
	if soon {
		task = soonTask
	}
	candidate := filepath.Join(t.TempDir(), name)
	text = strings.NewReplacer("HOME", p.home, "PORT", p.address).Replace(text)
	if err := os.WriteFile(candidate, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", p.limit+`exec "$0" "$@"`, bench, "judge", task, candidate, "--json", "--device", device)
	cmd.Env = append(os.Environ(), "HOME="+p.home)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	failed := cmd.Run()
	var j said
	if err := json.Unmarshal(out.Bytes(), &j); err != nil {
		t.Fatalf("no verdict: %v: %s%s", failed, out.String(), errOut.String())
	}
	if strings.Contains(j.Reason, "\n") || len(j.Reason) > 5000 {
		t.Errorf("the reason is no line: %q", j.Reason)
	}
	j.memory = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	return j, out.String() + errOut.String()
}

// inC is a C function that does something, and leaves no answer.
func inC(does string) string {
	return "#define _GNU_SOURCE\n#include <errno.h>\n#include <fcntl.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" +
		"#include <sys/mman.h>\n#include <sys/socket.h>\n#include <sys/un.h>\n#include <sys/wait.h>\n#include <netinet/in.h>\n#include <unistd.h>\n" +
		"static void *waits(void *x) { for (;;) pause(); return x; }\n" +
		"static void meet(int family, void *at, int length) { int s = socket(family, SOCK_STREAM, 0); connect(s, at, length); }\n" +
		"static void tells(const char *name) { char b[100] = {0}; int f = open(name, O_RDONLY); if (f >= 0 && read(f, b, 99) > 0) { fputs(b, stderr); abort(); } }\n" +
		"void twice(const double *x, double *y, int n) {\n" + does + "\n}\n"
}

// onGPU is a kernel that does something, in the simulator.
func onGPU(before, does string) string {
	return before + "\nextern \"C\" __global__ void twice(const double *x, double *y, int n) {\n    if (threadIdx.x == 0 && blockIdx.x == 0) {" + does + "}\n}\n"
}

const touches = `    int f = open("%s", O_WRONLY | O_CREAT, 0644); if (f >= 0) close(f);`

const inKernel = `extern "C" { int open(const char *, int, ...); long read(int, void *, unsigned long); long write(int, const void *, unsigned long); int socket(int, int, int); int connect(int, const void *, unsigned); int system(const char *); void abort(void); }`

const (
	// beyond is what a candidate does that got what it must not have.
	beyond = ` { fputs("the-secret-" "of-the-house", stderr); abort(); }`
	// calls has a function for each call of the system.
	calls = "#include <sys/syscall.h>\nlong syscall(long, ...);\n"
)

// endless are the attacks that end by a limit of time.
var endless = []string{"loops", "prints", "expands", "wide templates"}

// TestReach: none gets what it is after, and each gets a verdict.
func TestReach(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for name, c := range map[string]struct{ file, text, verdict string }{
		"reads":                {"mine.c", inC(`    tells("HOME/secret");`), "wrong"},
		"reads the task":       {"mine.c", inC(`    tells("HOME/task/right.c");`), "wrong"},
		"writes at home":       {"mine.c", inC(fmt.Sprintf(touches, "HOME/made")), "wrong"},
		"writes the task":      {"mine.c", inC(fmt.Sprintf(touches, "HOME/task/made")), "wrong"},
		"connects":             {"mine.c", inC("    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};\n    meet(AF_INET, &a, sizeof a);"), "wrong"},
		"connects here":        {"mine.c", inC("    struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = \"HOME/s\"};\n    meet(AF_UNIX, &a, sizeof a);"), "wrong"},
		"shell":                {"mine.c", inC(`    system("touch HOME/made");`), "wrong"},
		"starts":               {"mine.c", inC(`    if (fork() == 0) { execl("/bin/touch", "touch", "HOME/made", (char *)0); _exit(1); }`), "wrong"},
		"becomes":              {"mine.c", inC(`    execl("/bin/touch", "touch", "HOME/made", (char *)0);`), "wrong"},
		"forks":                {"mine.c", inC(`    int p = fork(); if (p == 0) { fputs("the-secret-" "of-the-house", stderr); _exit(0); } if (p > 0) { waitpid(p, 0, 0); abort(); }`), "wrong"},
		"kills the parent":     {"mine.c", inC(`    kill(getppid(), SIGKILL);`), "wrong"},
		"slows the parent":     {"mine.c", "#include <sys/resource.h>\n" + inC(`    if (setpriority(PRIO_PROCESS, getppid(), 19) == 0) { fputs("the-secret-" "of-the-house", stderr); abort(); }`), "wrong"},
		"places the parent":    {"mine.c", calls + inC(`    unsigned long cpus[16]; memset(cpus, 255, sizeof cpus); if (syscall(SYS_sched_setaffinity, getppid(), sizeof cpus, cpus) >= 0)`+beyond), "wrong"},
		"schedules the parent": {"mine.c", calls + inC(`    int priority = 0; if (syscall(SYS_sched_setscheduler, getppid(), 3, &priority) >= 0 || syscall(SYS_sched_setparam, getppid(), &priority) >= 0)`+beyond), "wrong"},
		"ranks the parent":     {"mine.c", calls + inC(`    struct { unsigned size, policy; unsigned long flags; int nice; unsigned priority; unsigned long rest[3]; } a = {48, 3}; if (syscall(SYS_sched_setattr, getppid(), &a, 0) >= 0)`+beyond), "wrong"},
		"limits the parent":    {"mine.c", calls + inC(`    unsigned long had[2]; if (syscall(SYS_prlimit64, getppid(), 7, 0, had) >= 0)`+beyond), "wrong"},
		"makes code":           {"mine.c", inC(`    if (mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) { fputs("the-secret-" "of-the-house", stderr); abort(); }`), "wrong"},
		"changes code":         {"mine.c", inC(`    if (mprotect((void *)((long)getppid & ~4095l), 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) { fputs("the-secret-" "of-the-house", stderr); abort(); }`), "wrong"},
		"moves code":           {"mine.c", "#include <sys/syscall.h>\n" + inC(`    void *p = mmap(0, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); if (syscall(SYS_mremap, p, 4096l, 4096l, 3l, (char *)p + 4096) != -1) { fputs("the-secret-" "of-the-house", stderr); abort(); }`), "wrong"},
		"handles faults":       {"mine.c", inC(`    if (signal(SIGSEGV, SIG_IGN) != SIG_ERR || signal(SIGBUS, SIG_IGN) != SIG_ERR) { fputs("the-secret-" "of-the-house", stderr); abort(); }`), "wrong"},
		"32 bits":              {"mine.c", inC("#ifdef __x86_64__\n    int r; __asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"a\"(37), \"b\"(getppid()), \"c\"(9) : \"memory\");\n#endif"), "wrong"},
		"memory":               {"mine.c", inC(`    for (;;) { char *m = malloc(1 << 26); if (!m) return; memset(m, 1, 1 << 12); }`), "wrong"},
		"loops":                {"mine.c", inC(`    for (;;) pause();`), "timeout"},
		"prints":               {"mine.c", inC(`    for (;;) fputs("endless ", stderr);`), "timeout"},
		"threads":              {"mine.c", inC("    pthread_attr_t a; pthread_t t; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 1 << 16);\n    for (int i = 0; i < 10000; i++) if (pthread_create(&t, &a, waits, 0)) return;"), "wrong"},
		"includes":             {"mine.c", "#include \"HOME/secret\"\n" + inC(""), "refused"},
		"includes in <>":       {"mine.c", "#include <HOME/secret>\n" + inC(""), "refused"},
		"incbin": {"mine.c", "#define T(a) #a\n__asm__(\".data\\ntaken: \" T(.inc) T(bin) \" \\\"HOME/secret\\\"\\n.byte 0\\n.text\\n\");\n" +
			"extern const char taken[] __attribute__((visibility(\"hidden\")));\n" + inC("    fputs(taken, stderr); abort();"), "does not compile"},
		"expands": {"mine.c", "#define A0 x x\n" + doublings(40) + inC("    int x; (void)(A40);"), ""},

		"kernel reads":    {"mine.cu", onGPU(inKernel, `char b[100] = {0}; int f = open("HOME/secret", 0); if (f >= 0 && read(f, b, 99) > 0) { write(2, b, 99); abort(); }`), ""},
		"kernel writes":   {"mine.cu", onGPU(inKernel, `open("HOME/made", 0101, 0644);`), ""},
		"kernel connects": {"mine.cu", onGPU(inKernel, `struct { short family; char path[100]; } a = {1, "HOME/s"}; connect(socket(1, 1, 0), &a, sizeof a);`), ""},
		"kernel's shell":  {"mine.cu", onGPU(inKernel, `system("touch HOME/made");`), ""},
		"templates":       {"mine.cu", onGPU("template <int N> struct A { A<N + 1> more; };", "A<0> a;"), "does not compile"},
		"wide templates":  {"mine.cu", onGPU("template <int N, int M> struct A { enum { v = A<N - 1, 2 * M>::v + A<N - 1, 2 * M + 1>::v }; };\ntemplate <int M> struct A<0, M> { enum { v = 1 }; };", "y[0] = A<29, 0>::v;"), ""},
		"kernel includes": {"mine.cu", "#include </etc/passwd>\n" + onGPU("", ""), "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			j, all := p.judged(t, c.file, c.text, slices.Contains(endless, name))
			if c.verdict != "" && j.Verdict != c.verdict || c.verdict == "" && j.Verdict != "wrong" && j.Verdict != "does not compile" && j.Verdict != "timeout" {
				t.Errorf("%s; want %s: %s", j.Verdict, c.verdict, j.Reason)
			}
			if name == "prints" && j.memory > 1<<20 { // of other attacks a compiler's counts too
				t.Errorf("what a candidate prints is kept: %d KiB", j.memory)
			}
			if j.Verdict != "refused" && (len(j.Sandbox.Confined) != 2 || j.Sandbox.Landlock < 1 || !j.Sandbox.Seccomp) {
				t.Errorf("sandbox %+v", j.Sandbox)
			}
			if strings.Contains(all, secret) || strings.Contains(all, "void right") {
				t.Errorf("it reads what it must not: %s", all)
			}
			for _, made := range []string{"made", "task/made"} {
				if os.Remove(filepath.Join(p.home, made)) == nil {
					t.Errorf("it makes %s", made)
				}
			}
			if n := p.met.Swap(0); n > 0 {
				t.Errorf("it connects %d times", n)
			}
		})
	}
}

// TestBounds: what a candidate takes of the machine has an end, and it is told where that is why it ended.
func TestBounds(t *testing.T) {
	t.Parallel()
	const makes = `    char name[200]; snprintf(name, sizeof name, "%s/f", getenv("TMPDIR")); int f = open(name, O_RDWR | O_CREAT, 0600); if (f < 0) abort();
`
	for name, c := range map[string]struct{ does, limit, reason string }{
		// More than the machine has, and than the bound leaves for what takes no memory; none of it is touched.
		"address space": {does: `    long all = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) + (5l << 30);
    if (mmap(0, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED)` + beyond},
		"a file":   {makes + `    if (pwrite(f, "", 1, 300l << 20) == 1)` + beyond, "", ""},
		"aside":    {makes + `    if (syscall(SYS_fallocate, f, 1, 0l, 4096l) == 0)` + beyond, "", ""},
		"removed":  {makes + `    if (unlink(name) == 0)` + beyond, "", ""},
		"renamed":  {makes + `    char other[200]; snprintf(other, sizeof other, "%s/g", getenv("TMPDIR")); if (rename(name, other) == 0)` + beyond, "", ""},
		"nameless": {`    if (open(getenv("TMPDIR"), 020000000 | O_DIRECTORY | O_RDWR, 0600) >= 0)` + beyond, "", ""},
		"memory's": {`    if (syscall(SYS_memfd_create, "m", 0) >= 0)` + beyond, "", ""},
		"many files": {`    for (int i = 0; i < 20000; i++) { char name[200]; snprintf(name, sizeof name, "%s/f%d", getenv("TMPDIR"), i); close(open(name, O_WRONLY | O_CREAT, 0600)); }
    for (;;) pause();`, "", "its temporary folder holds more than 1024 MiB, or 16384 files"},
		"output": {`    static char text[1 << 20]; memset(text, 'x', sizeof text); for (int i = 0; i < 1100; i++) if (write(2, text, sizeof text) < 0) return;`, "ulimit -v 12000000; ", ""},
		"threads": {`    pthread_attr_t a; pthread_t t; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 1 << 16);
    for (int i = 0; i < 1500 && pthread_create(&t, &a, waits, 0) == 0; i++);
    for (;;) pause();`, "ulimit -v 12000000; ", "it has more than 1024 threads"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.limit = c.limit
			j, all := p.judged(t, "mine.c", calls+inC(c.does), false)
			if j.Verdict != "wrong" || !strings.Contains(j.Reason, c.reason) || strings.Contains(all, secret) {
				t.Errorf("%s: %s", j.Verdict, j.Reason)
			}
		})
	}
}

// doublings are macros, each of which is twice the one before.
func doublings(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "#define A%d A%d, A%[2]d\n", i, i-1)
	}
	return b.String()
}

// TestHonest: what honest code needs is within its reach.
func TestHonest(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	j, all := p.judged(t, "mine.c", `#include <math.h>
#include <omp.h>
#include <stdlib.h>
void twice(const double *x, double *y, int n) {
    double *z = malloc(n * sizeof *z);
    #pragma omp parallel for num_threads(2)
    for (int i = 0; i < n; i++) z[i] = fma(x[i], 1, sin(0) + x[i]);
    for (int i = 0; i < n; i++) y[i] = z[i];
    free(z);
}
`, false)
	switch j.Verdict {
	case "faster", "same", "slower", "unknown":
	default:
		t.Errorf("%s: %s", j.Verdict, all)
	}
	if j, all := p.judged(t, "mine.cu", "extern \"C\" __global__ void twice(const double *x, double *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + x[i]; }\n", false); j.Verdict != "verified" {
		t.Errorf("%s: %s", j.Verdict, all)
	}
}
