package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/ceilings"
	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/mismatch"
	"example.org/bench/framework/neighbours"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/cuda/hostcompiler"
	"example.org/bench/gpu/cuda/offline"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/opencl"
)

// Plugins are known to both parent and worker.
type Plugins struct {
	// Factory returns the algorithm that a config asks for.
	Factory func(*config.Config) (*framework.Factory, error)
	Sensors []framework.SensorFactory
	// Picture draws wrong answers; nil for no pictures.
	Picture mismatch.Picture
	// Operations are what workers do beside the engine's own requests.
	Operations []Operation
}

// Serve is the worker process. It answers requests from in until in ends. Everything runs on the
// calling goroutine, locked to its thread, because a CUDA context belongs to a thread. The end of
// in means that the parent is gone. If a request is then still being answered, orphaned is called
// from another goroutine, so that a worker that hangs in a kernel does not outlive its parent.
func Serve(in io.Reader, out io.Writer, plugins Plugins, orphaned func()) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	w := &worker{plugins: plugins, out: json.NewEncoder(out)}
	defer w.close()
	var busy atomic.Int32
	var bad error // valid once the channel is closed
	ch := make(chan request)
	done := make(chan struct{})
	defer close(done)
	go func() {
		defer close(ch)
		lines := bufio.NewReader(in)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				if busy.Load() > 0 {
					orphaned()
				}
				return
			}
			var r request
			if err := json.Unmarshal(line, &r); err != nil {
				bad = fmt.Errorf("a request that is not readable: %w", err)
				return
			}
			busy.Add(1)
			select {
			case ch <- r:
			case <-done:
				return
			}
		}
	}()
	for req := range ch {
		if req.Setup != nil {
			if err := w.follow(*req.Setup); err != nil {
				return err
			}
		}
		w.number = req.Number
		before := stood.until(now())
		do, rep := answers[req.Op], &reply{}
		if do == nil {
			do = (*worker).operate
		}
		if err := do(w, req, rep); err != nil {
			rep.Error = err.Error()
		}
		rep.Stood = (stood.until(now()) - before).Seconds()
		rep.Number, rep.Unsound = req.Number, w.clockChanged || rep.failed() && !w.sound()
		busy.Add(-1)
		if err := w.out.Encode(rep); err != nil {
			return fmt.Errorf("answer the parent: %w", err)
		}
	}
	return bad
}

// follow takes the setup of an engine. The device of an earlier engine, which had the same parent, stays
// open, and the timer stays if both engines measure alike.
func (w *worker) follow(s setup) error {
	w.forget(len(w.problems))
	if w.timer != nil && w.setup.Config.Measure != s.Config.Measure {
		w.timer.Close()
		w.timer = nil
	}
	w.counting.close()
	*w = worker{plugins: w.plugins, setup: s, out: w.out, device: w.device, devID: w.devID, stream: w.stream, timer: w.timer, neighbours: w.neighbours}
	hostcompiler.SetTimeout(s.share(toolShare))
	hostcompiler.Distrust(s.Apart)
	if s.Confined {
		return w.isolate()
	}
	return nil
}

type worker struct {
	plugins Plugins
	setup   setup
	out     *json.Encoder
	number  uint64 // of the current request

	factory *framework.Factory
	device  gpu.Device
	devID   string
	refused bool // the device was not opened
	// clockChanged is set if a version changed this process's clock, which then must time no other
	// version.
	clockChanged bool
	stream       gpu.Stream
	offline      *offline.Device
	operations   map[string]Operate // of Plugins.Operations, by name
	timer        *measure.GPUTimer
	warm         measure.Warm // after turns on the CPU

	problems []kept // in order of use

	meters     map[framework.Processor]*meterState
	neighbours *neighbours.Watch // nil until first asked for

	marks *marks // of the point that is profiled, or nil

	counting *counting // nil until counters are asked for

	stopwatch stopwatch // of the current point

	keeper  *confined // of a confined worker, else nil
	judging judging   // of a keeper, else nil

	libraries []record.Library // reported with earlier points
}

type meterState struct {
	meter  *measure.Meter // nil if power is not measured
	states []record.Sensor
}

// answers are what a worker does for each request, by request.Op; what none has is an Operation's. The error is the
// reply's.
var answers = map[string]func(w *worker, req request, rep *reply) error{
	"device":       (*worker).facts,
	"gpus":         (*worker).gpus,
	"ceilings":     (*worker).describe,
	"probe":        (*worker).probe,
	"sensors":      (*worker).states,
	"temperatures": (*worker).tellTemperatures,
	"point":        (*worker).point,
	"compile":      (*worker).compile,
	"counters":     (*worker).counters,
	"profile":      (*worker).profile,
	"keep":         (*worker).keep,
	"kept":         (*worker).kept,
	"ab":           (*worker).turns,
}

func (w *worker) facts(req request, rep *reply) error {
	d, err := w.open(req.Device)
	if err != nil {
		w.refused = false // this request reports it itself
		return err
	}
	f := d.Facts()
	rep.Facts = &f
	return nil
}

func (w *worker) gpus(req request, rep *reply) (err error) {
	list := driver.All
	if OpenCL(req.Device) {
		list = opencl.All
	}
	rep.GPUs, err = list()
	return err
}

// describe measures a device's ceilings, unless the config asks for none, and tells what is known of it.
func (w *worker) describe(req request, rep *reply) error {
	d := &record.Device{ID: req.Device}
	if w.setup.Config.Measure.Ceilings {
		c, err := w.ceilings(req.Device)
		if err != nil {
			return err
		}
		d.Ceilings = *c
	} else if req.Device != "cpu" {
		if _, err := w.open(req.Device); err != nil {
			return err
		}
	}
	if w.device != nil && req.Device == w.devID {
		describe(d, w.device.Facts(), w.others(framework.GPU))
		timer, err := w.gpuTimer()
		if err != nil {
			return err
		}
		d.EventFloor, d.TimerRate, d.Timing = timer.Overhead, timer.TimerRate, timer.Timing()
	}
	rep.Described = d
	return w.states(req, rep)
}

func (w *worker) states(req request, rep *reply) error {
	rep.Sensors = w.sensors(processorOf(req.Device)).states
	return nil
}

func processorOf(device string) framework.Processor {
	if device == "cpu" {
		return framework.CPU
	}
	return framework.GPU
}

// open returns the device, which is opened once per worker.
func (w *worker) open(id string) (d gpu.Device, err error) {
	defer func() { w.refused = err != nil }()
	if w.device != nil && w.devID == id {
		return w.device, nil
	}
	if w.device != nil {
		return nil, fmt.Errorf("device %s asked for after %s", id, w.devID)
	}
	if d, err = w.setup.openDevice(id); err != nil {
		return nil, err
	}
	if err := d.Bind(); err != nil {
		return nil, err
	}
	if gpu, ok := d.(*driver.GPU); ok {
		if w.stream, err = gpu.NewStream(); err != nil {
			return nil, err
		}
		if w.setup.Sanitizer != nil {
			gpu.CompileWith("-lineinfo")
		}
	}
	w.device, w.devID = d, id
	return d, nil
}

// toolShare is the part of a point's time that one launch in the simulator, or a compiler, may
// take. The rest is for the answer, and for saying where the time went.
const toolShare = 0.75

// share returns a part of a point's time.
func (s *setup) share(part float64) time.Duration {
	return time.Duration(part * s.Config.Measure.PointTimeout * float64(time.Second))
}

func (s *setup) openDevice(id string) (gpu.Device, error) {
	if id == "sim" {
		options := []sim.Option{sim.Limit(s.share(toolShare))}
		if s.Checks {
			options = append(options, sim.Checks())
		}
		return sim.Open(s.Seed, options...)
	}
	if OpenCL(id) {
		return opencl.Open(id)
	}
	index, err := ParseDevice(id)
	if err != nil {
		return nil, err
	}
	return driver.Open(index)
}

func (w *worker) ceilings(device string) (*record.Ceilings, error) {
	start := now()
	var c record.Ceilings
	var err error
	if device == "cpu" {
		c.Copy, c.FMA, c.FMA64, err = ceilings.CPU(w.setup.Workers)
	} else {
		var d gpu.Device
		if d, err = w.open(device); err == nil {
			switch d := d.(type) {
			case *driver.GPU:
				c, err = ceilings.GPU(d)
			case *opencl.Device:
				var timer *measure.GPUTimer
				if timer, err = w.gpuTimer(); err == nil {
					c, err = ceilings.OpenCL(d, timer.Once)
				}
			default:
				return nil, errors.New("a simulated device has no ceilings")
			}
		}
	}
	c.Seconds = since(start)
	return &c, err
}

// sensors opens the power sensors for one processor, once.
func (w *worker) sensors(p framework.Processor) *meterState {
	if s := w.meters[p]; s != nil {
		return s
	}
	s := &meterState{}
	env := framework.SensorEnv{Root: w.setup.Root, Measuring: true, External: w.setup.Config.External}
	if p == framework.GPU && w.device != nil {
		f := w.device.Facts()
		env.GPU, env.PCI = f.UUID, f.PCIBusID
	} else if p == framework.GPU {
		env.GPU, env.PCI = w.setup.GPU, w.setup.PCI
	}
	var open []framework.Sensor
	for _, f := range w.plugins.Sensors {
		if !wanted(w.setup.Config.Sensors, f) {
			continue
		}
		sensor, err := f.Open(env)
		if err != nil {
			var none framework.NotHere
			s.states = append(s.states, record.Sensor{Name: f.Name, Absent: err.Error(), NotHere: errors.As(err, &none)})
			continue
		}
		s.states = append(s.states, record.Sensor{Name: f.Name, Channels: sensor.Channels(), Notes: sensor.Notes()})
		open = append(open, sensor)
		env.HasTotal = env.HasTotal || framework.HasTotal(sensor)
	}
	if len(open) > 0 {
		m, err := measure.NewMeter(open, w.setup.Config.Measure, w.knowledge(open))
		if err != nil {
			s.states = append(s.states, record.Sensor{Name: "meter", Absent: err.Error()})
		} else {
			s.meter = m
		}
	}
	if w.meters == nil {
		w.meters = map[framework.Processor]*meterState{}
	}
	w.meters[p] = s
	return s
}

// wanted reports whether the config's list includes the sensor. A nil list includes every sensor
// that needs no request.
func wanted(list []string, f framework.SensorFactory) bool {
	if list == nil {
		return !f.OnRequest
	}
	return slices.Contains(list, f.Name)
}

func (w *worker) close() {
	w.forget(len(w.problems))
	if w.timer != nil {
		w.timer.Close()
	}
	w.counting.close()
	w.neighbours.Close() //nolint:errcheck // nothing is lost
	if w.device != nil {
		w.device.Close()
	}
}
