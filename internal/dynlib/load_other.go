//go:build !linux

package dynlib

import "example.org/bench/internal/linux"

const noExec = 1

func mounted(string) int64 { return 0 }

func dlopen(string) (uintptr, error) { return 0, linux.ErrElsewhere }

func dlsym(uintptr, string) (uintptr, error) { return 0, linux.ErrElsewhere }

func dlclose(uintptr) error { return linux.ErrElsewhere }
