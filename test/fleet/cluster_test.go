//go:build slurm

package fleet

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/bench/test/sshd"
)

const slurmVariable = "BENCH_SLURM"

// cluster is a Slurm whose controller and nodes are this machine, each node with one
// CPU, on 127.0.0.1.
type cluster struct {
	dir        string
	env        []string
	controller *exec.Cmd
	nodes      map[string]*exec.Cmd
}

// slurm starts a cluster whose arrays have at most so many tasks. A requeued task waits
// for cred_expire, and not Slurm's 120 s.
func slurm(t *testing.T, nodes, maxArraySize int) *cluster {
	t.Helper()
	root := os.Getenv(slurmVariable)
	if root == "" {
		t.Skipf("needs %s, the folder of Slurm: run tools/fetch-test-env and source .cache/env.sh", slurmVariable)
	}
	// The name of munge's socket is short (unix(7)).
	dir, err := os.MkdirTemp("", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{dir: dir, nodes: map[string]*exec.Cmd{}}
	t.Cleanup(c.end)
	libraries := filepath.Join(root, "usr/lib/x86_64-linux-gnu")
	bin := filepath.Join(dir, "bin")
	var path string
	for _, e := range os.Environ() {
		if p, ok := strings.CutPrefix(e, "PATH="); ok {
			path = p
		}
	}
	c.env = append(os.Environ(), "SLURM_CONF="+dir+"/slurm.conf", "PATH="+bin+":"+path)
	daemons := "LD_LIBRARY_PATH=" + libraries + ":" + libraries + "/slurm-wlm"
	for _, sub := range []string{"bin", "state", "munge", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// Its programs have their libraries, and what they start has the user's.
	for _, name := range []string{"bin/sbatch", "bin/squeue", "bin/scancel", "bin/scontrol", "bin/sinfo", "sbin/munged", "sbin/slurmctld-wlm", "sbin/slurmd-wlm", "sbin/slurmstepd-wlm"} {
		script := fmt.Sprintf("#!/bin/sh\nLD_LIBRARY_PATH='%s' exec '%s' \"$@\"\n", daemons[len("LD_LIBRARY_PATH="):], filepath.Join(root, "usr", name))
		if err := os.WriteFile(filepath.Join(bin, filepath.Base(name)), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "munge/key"), bytes.Repeat([]byte("bench's tests\n"), 8), 0o400); err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	var ports []int
	for range nodes + 1 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	user := "root"
	if id := os.Getuid(); id != 0 {
		user = fmt.Sprint(id)
	}
	conf := fmt.Sprintf(`ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
SlurmUser=%[3]s
SlurmdUser=%[3]s
AuthType=auth/munge
AuthInfo=socket=%[4]s/munge/socket,cred_expire=20
PluginDir=%[5]s/slurm-wlm
SlurmctldPidFile=%[4]s/state/ctld.pid
SlurmctldLogFile=%[4]s/state/ctld.log
SlurmdPidFile=%[4]s/spool/%%n.pid
SlurmdLogFile=%[4]s/spool/%%n.log
SlurmdSpoolDir=%[4]s/spool/%%n
StateSaveLocation=%[4]s/state
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
KillWait=5
MessageTimeout=5
BatchStartTimeout=1
MaxArraySize=%[6]d
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1
`, host, ports[0], user, dir, libraries, maxArraySize)
	for i := range nodes {
		conf += fmt.Sprintf("NodeName=node%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=1 State=UNKNOWN\n", i+1, host, ports[i+1])
		c.nodes[fmt.Sprintf("node%d", i+1)] = nil
	}
	conf += "PartitionName=boards Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
	if err := os.WriteFile(filepath.Join(dir, "slurm.conf"), []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	munge := filepath.Join(dir, "munge")
	server := c.daemon(t, c.command("munged", "--foreground", "--force", "--key-file="+munge+"/key", "--socket="+munge+"/socket", "--pid-file="+munge+"/pid",
		"--log-file="+munge+"/log", "--seed-file="+munge+"/seed"))
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	c.until(t, "munge's socket", func() bool { _, err := os.Stat(munge + "/socket"); return err == nil })
	return c
}

// daemon starts a command that goes on.
func (c *cluster) daemon(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	log, err := os.OpenFile(filepath.Join(c.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Dir = c.dir // where a daemon that aborts leaves its memory
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// control starts the controller.
func (c *cluster) control(t *testing.T) {
	t.Helper()
	c.controller = c.daemon(t, c.command("slurmctld-wlm", "-D"))
}

// node starts a node, in a namespace of its own for processes: what slurmd starts is not
// its child, and goes with the node when that is killed.
func (c *cluster) node(t *testing.T, name string) {
	t.Helper()
	cmd := c.command("slurmd-wlm", "-D", "-N", name, "-d", filepath.Join(c.dir, "bin/slurmstepd-wlm"))
	// The shell is what reaps there.
	own := exec.Command("unshare", append([]string{"--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", `"$@" & wait`, "node"}, cmd.Args...)...)
	own.Env = cmd.Env
	c.nodes[name] = c.daemon(t, own)
}

// start starts controller and nodes, and waits until jobs can run.
func (c *cluster) start(t *testing.T) {
	t.Helper()
	c.control(t)
	for name := range c.nodes {
		c.node(t, name)
	}
	c.until(t, "idle nodes", func() bool {
		out, err := c.command("sinfo", "--noheader", "--format=%D %t").Output()
		return err == nil && strings.TrimSpace(string(out)) == fmt.Sprint(len(c.nodes), " idle")
	})
}

// command is one of Slurm's programs.
func (c *cluster) command(words ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.dir, "bin", words[0]), words[1:]...)
	cmd.Env = c.env
	return cmd
}

// kill kills a daemon with all that it started.
func kill(daemon *exec.Cmd) {
	if daemon == nil {
		return
	}
	for _, pid := range sshd.Descendants(daemon.Process.Pid) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	daemon.Wait()
}

// off kills all that runs on a node, and waits until it has ended: the namespace ends
// with its first process.
func (c *cluster) off(name string) {
	unshare := c.nodes[name]
	if unshare == nil {
		return
	}
	for _, pid := range sshd.Descendants(unshare.Process.Pid)[1:] {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	unshare.Wait()
	c.nodes[name] = nil
}

// end ends everything.
func (c *cluster) end() {
	for name := range c.nodes {
		c.off(name)
	}
	kill(c.controller)
	os.RemoveAll(c.dir)
}

func (c *cluster) until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for range 3000 {
		if so() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	log, _ := os.ReadFile(filepath.Join(c.dir, "log"))
	t.Fatalf("never: %s\n%s", what, log[max(0, len(log)-3000):])
}
