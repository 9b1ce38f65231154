//go:build linux

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"example.org/bench/test/sshd"
)

// fleetVerbs reach a board by OpenSSH's own programs. What fails is in the processes of
// this side: the server, and what it starts, are not of the program's.
func fleetVerbs() (list []verb) {
	if os.Getenv(sshd.Variable) == "" {
		return nil
	}
	w := &work{name: "fleet-ssh", plain: true, args: strings.Fields("fleet run.json --hosts board --folder boards --set ms=1,2 --out out --no-plots --quiet"),
		folder: "out/run", table: "run_time.csv", key: []string{"ms"}, points: 2,
		journal: "out/boards/board/run/journal.jsonl", begun: "out/fleet.json", resumed: strings.Fields("fleet --resume --out out --no-plots --quiet"), stays: "stays there until the next"}
	list = append(list, verb{name: w.name, args: w.args, work: w, ssh: true})
	left := leaveOnBoard(w)
	for _, name := range []string{"status", "fetch", "stop"} {
		list = append(list, verb{name: "fleet-" + name, args: []string{"fleet", name, "out"}, before: left, ssh: true, exact: true, told: []string{"not counted", "stays there"}})
	}
	return list
}

// onBoard has the scene reach a board, which is its own folder.
func (s *scene) onBoard() error {
	folder := filepath.Join(s.host.folder, "sshd")
	if s.host.server == nil {
		if err := os.Mkdir(folder, 0o755); err != nil {
			return err
		}
		login := filepath.Join(folder, "login")
		script := "#!/bin/sh\ncd \"$TORTURE_SCENE\" && export HOME=$PWD/home TMPDIR=$PWD/tmp STATE_DIRECTORY=$PWD/state BENCH_TREE=$PWD/tree BENCH_LOCK=$PWD/board.lock &&\n" +
			"eval \"$SSH_ORIGINAL_COMMAND\"\n"
		if err := os.WriteFile(login, []byte(script), 0o755); err != nil {
			return err
		}
		server, err := sshd.New(folder, []sshd.Host{{Name: "board", Command: login}}, "SendEnv TORTURE_*\n", "AcceptEnv TORTURE_*\n")
		if err != nil {
			return err
		}
		if err := server.Start(); err != nil {
			return err
		}
		s.host.server = server
	}
	err := os.Symlink(filepath.Join(folder, "ssh"), filepath.Join(s.dir, "bin/ssh"))
	if errors.Is(err, os.ErrExist) { // what is done before had it
		return nil
	}
	return err
}

// close ends what the host has started.
func (h *host) close() {
	if h.server != nil {
		h.server.Stop()
	}
}

// leaveOnBoard ends a fleet's run on this side and waits until the board is done.
func leaveOnBoard(w *work) func(*scene) error {
	return func(s *scene) error {
		c, err := s.start(w.args...)
		if err != nil {
			return err
		}
		for begun := false; !begun && running(c); time.Sleep(time.Millisecond) {
			pids, _ := filepath.Glob(filepath.Join(s.dir, "boards/*/pid"))
			begun = len(pids) > 0
		}
		c.Process.Signal(syscall.SIGKILL)
		s.finish(c)
		s.alone()
		if states, _ := filepath.Glob(filepath.Join(s.dir, "boards/*/state.json")); len(states) != 1 {
			return errors.New("a fleet's run that is ended leaves nothing on the board")
		}
		return nil
	}
}
