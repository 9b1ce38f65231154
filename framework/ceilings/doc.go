// Package ceilings measures a device's ceilings: bytes copied and fused
// multiply-adds per second. Rooflines and shares refer to these, not to a
// data sheet.
package ceilings
