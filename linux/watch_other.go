//go:build !linux

package linux

func Watch() {}
