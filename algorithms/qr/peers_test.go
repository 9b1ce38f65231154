package qr

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim/simtest"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/dynlib/dynlibtest"
)

// stub builds a shared library.
func stub(t *testing.T, source string) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc to build a stub library")
	}
	dir := t.TempDir()
	c, so := filepath.Join(dir, "stub.c"), filepath.Join(dir, "libstub.so")
	if err := os.WriteFile(c, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-shared", "-fPIC", "-O1", "-o", so, c, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return so
}

const stubIncludes = "#include <math.h>\n#include <stddef.h>\n"

// Householder's method on the CPU, whose memory is the simulator's.
const stubReflections = `
static void geqrf(int m, int n, float *a, int lda, float *tau) {
  for (int k = 0; k < n; k++) {
    float *v = a + (size_t)k * lda + k;
    double tail = 0, alpha = v[0];
    for (int i = 1; i < m - k; i++) tail += (double)v[i] * v[i];
    tau[k] = 0;
    if (tail == 0) continue;
    double beta = sqrt(alpha * alpha + tail);
    if (alpha > 0) beta = -beta;
    for (int i = 1; i < m - k; i++) v[i] /= alpha - beta;
    tau[k] = (beta - alpha) / beta;
    for (int j = k + 1; j < n; j++) {
      float *c = a + (size_t)j * lda + k;
      double s = c[0];
      for (int i = 1; i < m - k; i++) s += (double)v[i] * c[i];
      c[0] -= tau[k] * s;
      for (int i = 1; i < m - k; i++) c[i] -= tau[k] * s * v[i];
    }
    v[0] = beta;
  }
}
static void orgqr(int m, int n, int k, float *a, int lda, float *tau) {
  double c[512];
  float q[512 * 512];
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < m; i++) c[i] = i == j;
    for (int h = k - 1; h >= 0; h--) {
      float *v = a + (size_t)h * lda;
      double s = c[h];
      for (int i = h + 1; i < m; i++) s += v[i] * c[i];
      c[h] -= tau[h] * s;
      for (int i = h + 1; i < m; i++) c[i] -= tau[h] * s * v[i];
    }
    for (int i = 0; i < m; i++) q[(size_t)j * m + i] = c[i];
  }
  for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) a[(size_t)j * lda + i] = q[(size_t)j * m + i];
}
`

// inBoth is a stub's source with its functions in both precisions.
func inBoth(common, functions string) string {
	double := strings.NewReplacer("float", "double", "Sgeqrf", "Dgeqrf", "Sorgqr", "Dorgqr", "sgeqrf", "dgeqrf", "sorgqr", "dorgqr",
		" geqrf(", " geqrf64(", " orgqr(", " orgqr64(").Replace(functions)
	return common + functions + double
}

// The functions refuse arguments other than those in the cuSOLVER Library's
// documentation.
var stubCUSOLVER = inBoth(stubIncludes+`
int cusolverDnCreate(void **h) { *h = (void *)9; return 0; }
int cusolverDnDestroy(void *h) { return h == (void *)9 ? 0 : 1; }
int cusolverDnSetStream(void *h, void *s) { return h == (void *)9 && s == 0 ? 0 : 3; }
`, stubReflections+`
int cusolverDnSgeqrf_bufferSize(void *h, int m, int n, float *a, int lda, int *lwork) { *lwork = n; return lda == m ? 0 : 3; }
int cusolverDnSorgqr_bufferSize(void *h, int m, int n, int k, float *a, int lda, float *tau, int *lwork) { *lwork = 2 * n; return n == 77 ? 2 : 0; }
int cusolverDnSgeqrf(void *h, int m, int n, float *a, int lda, float *tau, float *work, int lwork, int *info) {
  if (h != (void *)9 || lda != m || n > m || lwork < n) return 3;
  work[lwork - 1] = 0;
  geqrf(m, n, a, lda, tau);
  *info = m == 13 ? -4 : 0;
  return 0;
}
int cusolverDnSorgqr(void *h, int m, int n, int k, float *a, int lda, float *tau, float *work, int lwork, int *info) {
  if (h != (void *)9 || lda != m || n > m || k > n || lwork < 2 * n) return 3;
  orgqr(m, n, k, a, lda, tau);
  *info = 0;
  return 0;
}
`)

var stubCUBLAS = inBoth(stubIncludes+`
int cublasCreate_v2(void **h) { *h = (void *)8; return 0; }
int cublasDestroy_v2(void *h) { return h == (void *)8 ? 0 : 1; }
int cublasSetStream_v2(void *h, void *s) { return h == (void *)8 && s == 0 ? 0 : 7; }
`, stubReflections+`
int cublasSgeqrfBatched(void *h, int m, int n, float **a, int lda, float **tau, int *info, int batch) {
  if (h != (void *)8 || lda != m || n > m) return 7;
  *info = 0;
  for (int b = 0; b < batch; b++) geqrf(m, n, a[b], lda, tau[b]);
  if (n == 5) a[batch - 1][m + 1] *= 1.01f;
  return batch == 99 ? 3 : 0;
}
`)

const (
	cusolverVersionFunction = "int cusolverGetVersion(int *v) { *v = 11702; return 0; }\n"
	cublasVersionFunction   = "int cublasGetVersion_v2(void *h, int *v) { *v = 120503; return 0; }\n"
)

func TestPeerLibraryErrors(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "none.so")
	incomplete := stub(t, "int nothing;")
	for name, c := range map[string]struct {
		open func(...string) error
		want string
	}{
		"cuSOLVER": {func(n ...string) error { _, err := cusolverLibrary.Open(n...); return err }, "LD_LIBRARY_PATH"},
		"cuBLAS":   {func(n ...string) error { _, err := cublasLibrary.Open(n...); return err }, "LD_LIBRARY_PATH"},
		"LAPACK":   {func(n ...string) error { _, err := lapackLibrary.Open(n...); return err }, "apt-get install libopenblas0-pthread"},
	} {
		if err := c.open(absent); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s is absent: error %v, want %q", name, err, c.want)
		}
		if err := c.open(incomplete); err == nil || !strings.Contains(err.Error(), "has no symbol") {
			t.Errorf("%s without functions: error %v", name, err)
		}
	}
}

// contract checks a peer, with a stub for its library, against the contract of
// every version.
func contract[A framework.BaseAlgorithm](t *testing.T, v framework.Version, construct func(framework.Env, *problem, framework.Values) (A, error)) {
	t.Helper()
	f := Factory()
	v.Available, v.New = nil, framework.Typed(construct)
	f.Versions = []framework.Version{v}
	algorithmtest.Suite{Factory: f, Simulated: true}.Run(t)
}

func TestCUSOLVERCalls(t *testing.T) {
	lib, err := cusolverLibrary.Open(stub(t, stubCUSOLVER+cusolverVersionFunction))
	if err != nil {
		t.Fatal(err)
	}
	var note string
	env := framework.Env{Device: simtest.Open(t), Note: func(format string, _ ...any) { note = format }}
	run := func(m, n, batch int, q string) framework.BaseAlgorithm {
		return newCUSOLVER(env, testProblem(t, setting(m, n, batch, q, 10)), lib)
	}
	contract(t, cusolverVersion(), func(env framework.Env, p *problem, _ framework.Values) (*cusolver, error) {
		return newCUSOLVER(env, p, lib), nil
	})
	algorithmtest.Hold(t, "40×12, three, full", run(40, 12, 3, full))
	if !strings.Contains(note, "work area") {
		t.Errorf("the note is %q", note)
	}
	a := run(13, 3, 1, reduced)
	if err := errors.Join(a.PreRun(), a.Run()); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Verify(); err == nil || !strings.Contains(err.Error(), "[-4 0]") {
		t.Errorf("a wrong argument is %v", err)
	}
	if err := a.PostRun(); err != nil {
		t.Error(err)
	}
	a = run(80, 77, 1, reduced)
	if err := a.PreRun(); !errors.Is(err, gpu.ErrOutOfMemory) || !strings.Contains(err.Error(), "CUSOLVER_STATUS_ALLOC_FAILED") {
		t.Errorf("status 2 is %v, want out of memory", err)
	}
	if err := a.PostRun(); err != nil {
		t.Error(err)
	}
}

func TestCUBLASCalls(t *testing.T) {
	lib, err := cublasLibrary.Open(stub(t, stubCUBLAS+cublasVersionFunction))
	if err != nil {
		t.Fatal(err)
	}
	env := framework.Env{Device: simtest.Open(t)}
	run := func(m, n, batch int) framework.BaseAlgorithm {
		return &cublas{gpuData: newData(env, testProblem(t, setting(m, n, batch, reduced, 10))), lib: lib}
	}
	contract(t, cublasVersion(), func(env framework.Env, p *problem, _ framework.Values) (*cublas, error) {
		return &cublas{gpuData: newData(env, p), lib: lib}, nil
	})
	a := run(20, 5, 3)
	if err := errors.Join(a.PreRun(), a.Run()); err != nil {
		t.Fatal(err)
	}
	if checks, err := a.Verify(); err != nil || len(checks) != 1 || checks[0].OK() {
		t.Errorf("R with an element off by a hundredth: %v, %v", checks, err)
	}
	a = run(20, 4, 99)
	if err := errors.Join(a.PreRun(), a.Run()); !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("status 3 is %v, want out of memory", err)
	}
}

// Each call of cuBLAS and cuSOLVER fails once: the error names it and has the
// library's name of the result. The library's version only goes into a remark.
func TestEveryCallOfThePeersFails(t *testing.T) {
	for _, precision := range []string{singlePrecision, doublePrecision} {
		t.Run(precision, func(t *testing.T) { everyCallFails(t, testProblem(t, in(precision, setting(20, 4, 3, full, 10)))) })
	}
}

func everyCallFails(t *testing.T, p *problem) {
	env := framework.Env{Device: simtest.Open(t), Note: func(string, ...any) {}}
	solver, err := cusolverLibrary.Open(stub(t, stubCUSOLVER+cusolverVersionFunction))
	if err != nil {
		t.Fatal(err)
	}
	blas, err := cublasLibrary.Open(stub(t, stubCUBLAS+cublasVersionFunction))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		faults *dynlibtest.Faults
		make   func() framework.BaseAlgorithm
		result string
	}{
		{dynlibtest.Wrap(solver, 7), func() framework.BaseAlgorithm { return newCUSOLVER(env, p, solver) }, "CUSOLVER_STATUS_INTERNAL_ERROR"},
		{dynlibtest.Wrap(blas, 14), func() framework.BaseAlgorithm { return &cublas{gpuData: newData(env, p), lib: blas} }, "CUBLAS_STATUS_INTERNAL_ERROR"},
	} {
		errs := c.faults.Each(func() error {
			a := c.make()
			err := a.PreRun()
			if err == nil {
				err = a.Run()
			}
			if err == nil {
				_, err = a.Verify()
			}
			return errors.Join(err, a.PostRun())
		})
		for _, symbol := range c.faults.Symbols() {
			if other := map[bool]string{false: "D", true: "S"}[p.Double]; strings.Contains(symbol, other+"geqrf") || strings.Contains(symbol, other+"orgqr") {
				continue
			}
			err, called := errs[symbol]
			call := strings.TrimSuffix(symbol, "_v2")
			if !called || !strings.Contains(symbol, "GetVersion") && (err == nil || !strings.Contains(err.Error(), call+": "+c.result)) {
				t.Errorf("%s: %v, want it with %s", symbol, err, c.result)
			}
		}
	}
}

// LAPACK's routines over the same reflections; call number at, counted from 1
// since at was set, fails.
var stubLAPACK = inBoth(stubIncludes+`
static int at, calls;
void fail_at(int n) { at = n; calls = 0; }
`, stubReflections+`
void sgeqrf_(int *m, int *n, float *a, int *lda, float *tau, float *work, int *lwork, int *info) {
  if (++calls == at) { *info = -7; return; }
  geqrf(*m, *n, a, *lda, tau);
  *info = 0;
}
void sorgqr_(int *m, int *n, int *k, float *a, int *lda, float *tau, float *work, int *lwork, int *info) {
  if (++calls == at) { *info = -8; return; }
  orgqr(*m, *n, *k, a, *lda, tau);
  *info = 0;
}
`)

// Each call of LAPACK fails once: the error names it and says what is wrong.
func TestEveryCallOfLAPACKFails(t *testing.T) {
	path := stub(t, stubLAPACK)
	lib, err := lapackLibrary.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	library, err := dynlib.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var faults struct {
		failAt func(int32) `symbol:"fail_at"`
	}
	if err := library.BindAll(&faults); err != nil {
		t.Fatal(err)
	}
	for letter, precision := range map[string]string{"s": singlePrecision, "d": doublePrecision} {
		p := testProblem(t, in(precision, setting(20, 4, 2, full, 10)))
		geqrf, orgqr := letter+"geqrf: info = -7: argument 7 is wrong", letter+"orgqr: info = -8: argument 8 is wrong"
		for at, want := range []string{"", geqrf, orgqr, geqrf, orgqr, ""} {
			x := newLAPACK(lib, p, framework.Env{Workers: 1})
			faults.failAt(int32(at))
			err := x.run(p.elements(2*p.sizeQ()), p.elements(2*p.sizeR()), p.a)
			if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
				t.Errorf("call %d: %v, want %q", at, err, want)
			}
		}
	}
}
