// Package ceilings measures what a device can do at most: bytes copied a
// second and fused multiply-adds a second. Rooflines and shares are held
// against these, not against a data sheet.
package ceilings
