package ina3221

import (
	"fmt"
	"slices"
	"strings"

	"bench/framework"
)

// board says how the rails of some boards belong together. The rails identify
// the board better than the device tree, which containers hide and carriers
// rewrite. Sources: energymon, "Jetson Power Rails"; NVIDIA Jetson developer
// guides; Linux device tree tegra234-p3701.dtsi; of Thor,
// jetson_stats and thorfan.
type board struct {
	names string
	total []string // their sum is the module's power
	part  []string // fed from a total rail
	note  string
}

var boards = []board{
	{
		names: "TX1, TX2, TX2 NX, Xavier NX, Orin NX, Orin Nano",
		total: []string{"VDD_IN"},
		part: []string{
			"VDD_GPU", "VDD_CPU", // TX1
			"VDD_SYS_GPU", "VDD_SYS_SOC", "VDD_4V0_WIFI", "VDD_SYS_CPU", "VDD_SYS_DDR", // TX2; the TX2i has no WIFI
			"VDD_CPU_GPU", "VDD_SOC", // TX2 NX
			"VDD_CPU_GPU_CV", // Xavier NX, Orin NX, Orin Nano, with VDD_SOC
		},
	},
	{
		names: "Nano",
		total: []string{"POM_5V_IN"},
		part:  []string{"POM_5V_GPU", "POM_5V_CPU"},
	},
	{
		// VDDQ_VDD2_1V8AO is fed from VIN_SYS_5V0.
		names: "AGX Orin",
		total: []string{"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"},
		part:  []string{"VDDQ_VDD2_1V8AO"},
	},
	{
		// The INA238's VIN is in front of these and of the carrier.
		names: "AGX Thor",
		total: []string{"VDD_GPU", "VDD_CPU_SOC_MSS", "VIN_SYS_5V0"},
	},
	{
		names: "AGX Xavier",
		total: []string{"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"},
		note:  "the board has no rail for its input: the total is the sum of six rails; sources disagree whether SYS5V belongs to it",
	},
}

// carrierRails are outside the module, on the developer kits of TX1 and TX2.
// VDD_MUX is the carrier's input, beside VDD_IN and not part of it.
var carrierRails = []string{
	"VDD_MUX", "VDD_5V_IO_SYS", "VDD_5V0_IO_SYS", "VDD_3V3_SYS",
	"VDD_3V3_IO", "VDD_3V3_IO_SLP", "VDD_1V8_IO", "VDD_M2_IN", "VDD_3V3_SYS_M2",
}

// assign gives each rail its role. A total needs all of its rails: if one
// failed, or the board is unknown, no rail is a total. Of several rails of one name the
// first is the total: reference designs have the module's monitors at the lowest
// addresses, and a carrier whose device tree is a copy names its own chip's rails alike.
func assign(rails []rail, failed []string) (roles []framework.Role, notes []string) {
	names := make([]string, len(rails))
	for i, r := range rails {
		names[i] = r.name
	}
	present := slices.Concat(names, failed)
	has := func(names []string, name string) bool { return slices.Contains(names, name) }
	var b *board
	for i := range boards {
		if !slices.ContainsFunc(boards[i].total, func(n string) bool { return !has(present, n) }) {
			b = &boards[i]
			break
		}
	}
	roles = make([]framework.Role, len(rails))
	for i := range roles {
		roles[i] = framework.Part
	}
	for i, r := range names {
		if has(carrierRails, r) {
			roles[i] = framework.Carrier
		}
	}
	if b == nil {
		return roles, []string{fmt.Sprintf("no total: the rails %s belong to no known board", strings.Join(present, ", "))}
	}
	for _, n := range b.total {
		if has(failed, n) {
			return roles, []string{fmt.Sprintf("no total: it needs %s, which gives no reading", n)}
		}
	}
	for i, r := range names {
		switch first := slices.Index(names, r); {
		case has(b.total, r) && first < i:
			notes = append(notes, fmt.Sprintf("rail %s is there twice: that of %s is the total, and that of %s is taken to be contained in it",
				r, rails[first].address, rails[i].address))
		case has(b.total, r):
			roles[i] = framework.Total
		case roles[i] == framework.Part && !has(b.part, r):
			notes = append(notes, fmt.Sprintf("rail %s is unknown on %s: it is taken to be contained in the total", r, b.names))
		}
	}
	if b.note != "" {
		notes = append(notes, b.note)
	}
	return roles, notes
}
