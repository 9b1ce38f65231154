//go:build !linux

package command

// systemLimits are none: what reads results needs little.
var systemLimits []func() error
