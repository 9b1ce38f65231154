// Package measure times algorithms and integrates the energy of their runs.
//
// A measurement has these steps:
//
//  1. A timer is made for the processor. NewCPUTimer measures the step of the
//     monotonic clock. NewGPUTimer measures what two events with nothing between
//     them cost, and which SM clock the device can reach.
//  2. Hot warms the version up and takes samples; Cold does so with caches
//     flushed before each sample. A CPU is prepared for that: no garbage
//     collection, threads confined to the best CPUs. A GPU's stream is held back
//     by a gate until the work is queued, and a clockJudge drops samples taken
//     while the SM clock was low.
//  3. A Rule gets each sample and says when the median is known, or that it
//     will not be, and why. The result is a Series.
//  4. Alternate takes samples of two versions in turns instead, for a
//     comparison in which drift affects both alike.
//  5. A Meter watches the power sensors once to learn how often they take a
//     new value. It then polls them while nothing runs and during runs back to
//     back (a timer's Sustain). It finds a span of each in which power is level,
//     integrates power over exactly the window, takes the difference of counters,
//     and says how well both are known. The result is an Energy.
//
// Package stats analyses samples, package ceilings measures the most that a device can do, and
// package machine says how the machine is set.
package measure
