//go:build linux

// Torture starts the program again and again, harms it in every way that a system,
// a user or a file can, and checks what must hold afterwards: no finished point is
// lost or doubled, no process, file or power mode is left, no trace of Go's is
// printed, and every end is in time, with a documented status and a line.
//
//	torture -seed 1 -kills 1000 -time 1h
//
// It goes on where the last call with the same -out ended. A failure prints the
// command that does it again.
package main

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"example.org/bench/test/inject"
)

// kinds are the ways of harm that chance chooses among.
var kinds = []struct {
	name string
	run  func(*scene, *counts) error
}{
	{"kill", kill}, {"damage", damage}, {"limit", limit}, {"twice", twice}, {"lies", lies},
}

func main() {
	inject.Launch()
	if len(os.Args) > 2 && os.Args[1] == liarWord {
		liar(os.Args[2:])
	}
	log.SetFlags(0)
	seed := flag.Uint64("seed", 1, "the only source of chance; with another one the counts begin anew in another file")
	kills := flag.Int("kills", 1000, "signals that end something, over all calls")
	each := flag.Int("each", 200, "trials of each other kind, over all calls")
	most := flag.Duration("time", time.Hour, "of this call")
	out := flag.String("out", "results/torture", "folder of the counts")
	only := flag.String("only", "", "kinds with commas: fault, driver, kill, damage, limit, twice, lies (default: all)")
	of := flag.String("verbs", "", "verbs with commas whose operations or driver calls fail (default: all)")
	jobs := flag.Int("jobs", 2, "operations that fail side by side, each in a folder of its own")
	again := flag.String("trial", "", "do this trial alone, as a failure printed it")
	all := flag.Bool("sum", false, "print what was done with all seeds, and do no more")
	flag.Parse()
	if *all {
		c, err := sum(*out)
		if err != nil {
			log.Fatal(err)
		}
		c.print(os.Stdout)
		return
	}
	h, err := newHost()
	if err != nil {
		log.Fatal(err)
	}
	status := 0
	switch c, err := open(*out, *seed); {
	case err != nil:
		log.Print(err)
		status = 1
	case *again != "":
		status = c.repeat(h, *again)
	default:
		status = c.campaign(h, list(*only), list(*of), *kills, *each, *jobs, *most)
	}
	h.close()
	os.RemoveAll(h.folder)
	os.Exit(status)
}

// list are words with commas.
func list(words string) []string {
	return strings.FieldsFunc(words, func(r rune) bool { return r == ',' })
}

func newHost() (*host, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "example.org/bench").Output()
	if err != nil {
		return nil, fmt.Errorf("to be started in the repository: %w", err)
	}
	folder, err := os.MkdirTemp("", "torture-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(folder, 0o755); err != nil { // another user starts the program
		return nil, err
	}
	h := &host{program: filepath.Join(folder, "bench"), self: self, root: strings.TrimSpace(string(root)), folder: folder, ceilings: true, patterns: map[string]*scene{}, outcomes: map[string]*outcome{}, calls: map[fault]string{}}
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", h.program, "./test/faulty/program")
	build.Dir = h.root
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the program: %w\n%s", err, text)
	}
	return h, nil
}

// trialOf is the i-th trial of a kind; its chance depends on these and the seed alone.
func (c *counts) trialOf(h *host, kind string, i int) trial {
	name := kind + "/" + strconv.Itoa(i)
	sum := fnv.New64a()
	sum.Write([]byte(name))
	return trial{name: name, rng: rand.New(rand.NewPCG(c.Seed, sum.Sum64())), host: h, ceilings: h.ceilings}
}

// once does the i-th trial of a kind.
func (c *counts) once(h *host, kind string, i int) error {
	k := slices.IndexFunc(kinds, func(k struct {
		name string
		run  func(*scene, *counts) error
	}) bool {
		return k.name == kind
	})
	if k < 0 {
		return fmt.Errorf("no kind %q", kind)
	}
	s, err := newScene(c.trialOf(h, kind, i))
	if err != nil {
		return err
	}
	defer s.remove()
	c.kind = kind
	if err := kinds[k].run(s, c); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	c.judge(s)
	return nil
}

func (c *counts) repeat(h *host, name string) int {
	earlier := len(c.Failures)
	err := func() error {
		kind, number, _ := strings.Cut(name, "/")
		if kind != "fault" {
			i, err := strconv.Atoi(number)
			if err != nil {
				return err
			}
			return c.once(h, kind, i)
		}
		f, err := parseFault(name)
		if err != nil {
			return err
		}
		s, row, err := h.inflict(f, c.Seed+uint64(f.n))
		if s != nil {
			defer s.remove()
			fmt.Println(strings.Join(s.said, "\n"))
		}
		if err == nil {
			fmt.Println(strings.Join(row, "\t"))
			c.judge(s)
		}
		return err
	}()
	if err != nil {
		log.Print(err)
		return 1
	}
	return min(1, len(c.Failures)-earlier)
}

// campaign goes through the faults and the kinds in turn until all is done or the
// time is over.
func (c *counts) campaign(h *host, only, of []string, kills, each, jobs int, most time.Duration) int {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	started, failures := time.Now(), len(c.Failures)
	over := func() bool { return time.Since(started) > most || len(stop) > 0 }
	wanted := func(kind string) bool { return len(only) == 0 || slices.Contains(only, kind) }
	next := c.faults(h, slices.DeleteFunc(slices.Clone(verbs()), func(v verb) bool {
		kind := "fault"
		if v.calls {
			kind = "driver"
		}
		return !wanted(kind) || len(of) > 0 && !slices.Contains(of, v.name)
	}))
	for busy := true; busy && !over(); {
		busy = false
		for _, k := range kinds {
			done := c.Kinds[k.name].Trials >= each
			if k.name == "kill" {
				done = c.Kills >= kills
			}
			if done || over() || !wanted(k.name) {
				continue
			}
			busy = true
			if err := c.once(h, k.name, c.Kinds[k.name].Trials); err != nil {
				log.Print(err)
				return 1
			}
		}
		if more, err := sideBySide(jobs, 20*time.Second, over, next); err != nil {
			log.Print(err)
			return 1
		} else if more {
			busy = true
		}
		if err := c.write(time.Since(started)); err != nil {
			log.Print(err)
			return 1
		}
		started, most = time.Now(), most-time.Since(started)
	}
	c.print(os.Stdout)
	return min(1, len(c.Failures)-failures)
}

// sideBySide does what next returns until a turn is over, and reports whether there
// was any.
func sideBySide(jobs int, turn time.Duration, over func() bool, next func() (func() error, bool)) (busy bool, err error) {
	begun := time.Now()
	var mu sync.Mutex
	var all sync.WaitGroup
	for range jobs {
		all.Go(func() {
			for time.Since(begun) < turn && !over() {
				mu.Lock()
				do, more := next()
				busy = busy || more
				mu.Unlock()
				if !more {
					return
				}
				if e := do(); e != nil {
					mu.Lock()
					err = errors.Join(err, e)
					mu.Unlock()
					return
				}
			}
		})
	}
	all.Wait()
	return busy, err
}
