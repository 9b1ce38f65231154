//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const liarWord = "liar"

// lies has work done by workers that do not keep to the protocol.
func lies(s *scene, n *counts) error {
	w := works[s.rng.IntN(len(works))]
	if err := s.host.undisturbed(w, verb{}.environment); err != nil {
		return err
	}
	honest := s.env
	s.env = append(s.env[:len(s.env):len(s.env)], fmt.Sprintf("BENCH_WORKER_PREFIX=%s %s %d", s.host.self, liarWord, s.rng.Uint32()))
	c, err := s.do(w.args...)
	if err != nil {
		return err
	}
	n.add(w.name)
	if c.status == 130 || c.status == -1 {
		s.failf("a lie ended the run: %v", c.ProcessState)
	}
	s.alone()
	s.env = honest
	// A worker that lies of the tool's results is believed: what it is told may be anything.
	if err := s.complete(w, w.points+6); err != nil {
		return err
	}
	return s.restored()
}

// liar is a worker's stead: it starts the worker and passes on its replies, now
// and then not as they are. Its arguments are a seed and the worker's command.
func liar(args []string) {
	log.SetFlags(0)
	seed, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(os.Getpid())))
	replies, program := os.NewFile(3, "replies"), os.NewFile(4, "program")
	r, w, err := os.Pipe()
	if err != nil {
		log.Fatal(err)
	}
	c := exec.Command(args[1], args[2:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.ExtraFiles = []*os.File{w, program}
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		log.Fatal(err)
	}
	w.Close()
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if rng.IntN(12) == 0 {
			line = lie(rng, line, replies)
		}
		replies.Write(line)
		if err != nil {
			break
		}
	}
	c.Wait()
	os.Exit(c.ProcessState.ExitCode())
}

// lie is what is said instead of a line.
func lie(rng *rand.Rand, line []byte, to io.Writer) []byte {
	switch rng.IntN(11) {
	case 0: // of another request
		return bytes.Replace(line, []byte(`"number":`), []byte(`"number":1`), 1)
	case 1: // half a line, and no more
		to.Write(line[:len(line)/2])
		os.Exit(0)
	case 2: // silence until killed
		time.Sleep(time.Hour)
	case 3: // a flood without an end of line
		to.Write(bytes.Repeat([]byte("x"), 64<<20))
	case 4: // a flood of lines
		to.Write(bytes.Repeat([]byte("{}\n"), 1<<18))
	case 5:
		return append(line, line...)
	case 6:
		return nil
	case 7:
		line, _ = mutate(rng, line)
	case 8:
		fmt.Fprintln(os.Stderr, strings.Repeat("a long line on standard error ", 1<<16))
	case 9:
		os.NewFile(3, "replies").Close()
	case 10:
		return append([]byte("\x00\x1b[31m{\"number\":null}\n"), line...)
	}
	return line
}
