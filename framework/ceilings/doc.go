// Package ceilings measures a device's ceilings: bytes copied and fused multiply-adds per second, and what
// else bounds kernels. Rooflines and shares refer to these, not to a data sheet.
package ceilings
