//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// limit lets work begin where something is scarce or forbidden, and completes it
// where it is not.
func limit(s *scene, n *counts) error {
	w := works[s.rng.IntN(len(works))]
	if err := s.host.undisturbed(w, verb{}.environment); err != nil {
		return err
	}
	kinds := []string{"file size", "open files", "address space"}
	if os.Geteuid() == 0 {
		kinds = append(kinds, "full disk", "full disk", "no access")
	}
	kind := kinds[s.rng.IntN(len(kinds))]
	n.add(kind)
	size := 1 << s.rng.IntN(9)
	within := func(limits string) error {
		s.said = append(s.said, "("+limits+")")
		c, err := s.within(limits, w.args...)
		if err == nil && c.status == 130 {
			s.failf("%s: status 130, and nobody interrupted it", limits)
		}
		return err
	}
	var err error
	switch kind {
	case "file size":
		err = within(fmt.Sprintf("ulimit -f %d", size)) // of 512 bytes
	case "open files":
		err = within(fmt.Sprintf("ulimit -n %d", 3+s.rng.IntN(90)))
	case "address space":
		err = within(fmt.Sprintf("ulimit -v %d", 1900000+size<<12)) // of 1 KiB; with much less Go's runtime does not start
	case "full disk":
		err = s.fullDisk(w, size)
	case "no access":
		return s.noAccess(w)
	}
	if err != nil {
		return err
	}
	s.sigkill = true // what could not be written in whole
	if err := s.complete(w, w.points+6); err != nil {
		return err
	}
	return s.restored()
}

// within starts the program under limits of the shell.
func (s *scene) within(limits string, args ...string) (*started, error) {
	c, err := s.command(args...)
	if err != nil {
		return nil, err
	}
	c.Args = append([]string{"sh", "-c", limits + ` && exec "$0" "$@"`, c.Path}, args...)
	c.Path = "/bin/sh"
	if err := c.Start(); err != nil {
		return nil, err
	}
	go func() {
		c.Wait()
		close(c.ended)
	}()
	s.finish(c)
	return c, nil
}

// fullDisk has the results on a disk of so many KiB, which grows later.
func (s *scene) fullDisk(w *work, size int) error {
	disk := filepath.Join(s.dir, strings.Split(w.folder, "/")[0])
	if err := os.MkdirAll(disk, 0o755); err != nil {
		return err
	}
	if err := syscall.Mount("none", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", size)); err != nil {
		return fmt.Errorf("mount: %w", err)
	}
	s.mounted = disk
	s.said = append(s.said, fmt.Sprintf("(a disk of %d KiB)", size))
	if _, err := s.do(w.args...); err != nil {
		return err
	}
	return syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=64m")
}

// noAccess starts the work as a user who may not write, read or enter something.
func (s *scene) noAccess(w *work) error {
	const nobody = 65534
	if err := filepath.WalkDir(s.dir, func(path string, _ os.DirEntry, err error) error {
		if err == nil {
			err = os.Lchown(path, nobody, nobody)
		}
		return err
	}); err != nil {
		return err
	}
	s.user = &syscall.Credential{Uid: nobody, Gid: nobody}
	places := []string{"home", "tmp", "state", "results", "tree/etc", "tree/sys/class/devfreq/17000000.gp10b", "bin", "run.json", "tune.json", "modes.json", "."}
	place := filepath.Join(s.dir, places[s.rng.IntN(len(places))])
	mode := []os.FileMode{0, 0o100, 0o400, 0o444, 0o555}[s.rng.IntN(5)]
	s.said = append(s.said, fmt.Sprintf("(%s has mode %o)", place, mode))
	if _, err := os.Stat(place); err != nil {
		if err := os.Mkdir(place, 0o755); err != nil {
			return err
		}
		if err := os.Chown(place, nobody, nobody); err != nil {
			return err
		}
	}
	was, err := os.Stat(place)
	if err != nil {
		return err
	}
	if err := os.Chmod(place, mode); err != nil {
		return err
	}
	if _, err := s.do(w.args...); err != nil {
		return err
	}
	if err := os.Chmod(place, was.Mode().Perm()); err != nil {
		return err
	}
	s.sigkill = true
	if err := s.complete(w, w.points+6); err != nil {
		return err
	}
	return s.restored()
}

// twice starts work two times at once in one folder: one does it, the other does
// it again afterwards or says that the folder is in use.
func twice(s *scene, n *counts) error {
	w := works[s.rng.IntN(3)]
	if err := s.host.undisturbed(w, verb{}.environment); err != nil {
		return err
	}
	n.add(w.name)
	first, err := s.start(w.args...)
	if err != nil {
		return err
	}
	time.Sleep(time.Duration(s.rng.IntN(1+s.rng.IntN(1500))) * time.Millisecond)
	second, err := s.start(w.args...)
	if err != nil {
		return err
	}
	s.finish(first)
	s.finish(second)
	if first.status != 0 && second.status != 0 {
		s.failf("neither of two did the work: status %d and %d", first.status, second.status)
	}
	for _, c := range []*started{first, second} {
		if c.status != 0 && !strings.Contains(c.text, "another") {
			s.failf("status %d without a word of the other", c.status)
		}
	}
	if err := s.complete(w, 0); err != nil {
		return err
	}
	return s.restored()
}
