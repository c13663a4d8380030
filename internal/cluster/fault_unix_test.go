//go:build unix

package cluster

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// Roles that this test program plays as a process of its own, which ends with its input. A
// line of it is a number of seconds by which the clock of the process is wrong from now on.
const (
	roleServer = "role-server" // ADDRESS FOLDER
	roleNode   = "role-node"   // URL NAME honest|lying|renamed
	roleAsker  = "role-asker"  // URL NAME
	roleClock  = "role-clock"  // SECONDS; it says what time it is, and how long it took to find out
)

// patient are times for processes on a machine that does other things besides.
var patient = times{beat: 100 * time.Millisecond, silence: 2 * time.Second, wanted: 50 * time.Millisecond, ackWait: 4 * time.Second}

func TestMain(m *testing.M) {
	if len(os.Args) < 3 || !strings.HasPrefix(os.Args[1], "role-") {
		os.Exit(m.Run())
	}
	if err := play(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func play(role string, args []string) error {
	if role == roleClock {
		before := time.Now()
		seconds, err := strconv.Atoi(args[0])
		if err == nil {
			err = setClock(time.Duration(seconds) * time.Second)
		}
		fmt.Println(time.Now().Unix(), time.Since(before))
		return err
	}
	if role == roleServer {
		s, err := Listen(ListenOptions{Address: args[0], Dir: args[1], Insecure: true})
		if err != nil {
			return err
		}
		fmt.Println(s.Port)
		return untilEnd()
	}
	if role == roleNode && args[2] == "lying" {
		return playLiar(args[0], args[1], 1)
	}
	if role == roleNode && args[2] == "renamed" {
		return playLiar(args[0], args[1], 8)
	}
	c, err := Connect(context.Background(), Options{URL: args[0], Name: args[1], times: patient})
	if err != nil {
		return err
	}
	if role == roleAsker {
		askAll(NewAsker(c))
	} else {
		go NewNode(c, 2, slow).Run(context.Background())
		fmt.Println("ready")
	}
	return untilEnd()
}

// clockSet is what a process says whose clock has been set.
const clockSet = "clock set"

// untilEnd sets the clock as the input says, and returns at its end.
func untilEnd() error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		seconds, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err == nil {
			err = setClock(time.Duration(seconds) * time.Second)
		}
		if err != nil {
			return err
		}
		fmt.Println(clockSet)
	}
	return lines.Err()
}

// playLiar starts a node whose answers are wrong; a renamed one has another name for each.
func playLiar(url, name string, names int) error {
	for i := range names {
		c, err := Connect(context.Background(), Options{URL: url, Name: fmt.Sprint(name, i), times: patient})
		if err != nil {
			return err
		}
		go NewNode(c, 1, engineOf(function(func(context.Context, circuit.Problem) (cert.Verdict, error) {
			return cert.Verdict{Outcome: cert.Proved, Depth: 1}, nil
		}))).Run(context.Background())
	}
	fmt.Println("ready")
	return untilEnd()
}

// properties are what an asker wants: counters with a bad at so many values.
const properties = 16

func property(i int) *circuit.Circuit { return counter(4, i, 9) }

// askAll has an asker want all properties at a time, and prints what comes of each.
func askAll(a *Asker) {
	for i := range properties {
		go func() {
			job := a.job(property(i))
			job.Limits.Wall = 10 * time.Minute
			r := verify.Run(context.Background(), job, nil)
			fmt.Printf("%d %s %v\n", i, r.Checked.Outcome(), r.Checked.Reason()) // one write
		}()
	}
}

// alone are the verdicts of all properties without a cluster.
var alone = sync.OnceValue(func() (all []string) {
	for i := range properties {
		e, err := real(engines.Default())
		if err != nil {
			panic(err)
		}
		r := verify.Run(context.Background(), verify.Job{Circuit: property(i), Property: bad0, Engine: e}, nil)
		all = append(all, fmt.Sprintf("%d %s %v", i, r.Checked.Outcome(), r.Checked.Reason()))
	}
	return all
})

// slow returns an engine that takes long enough for something to happen meanwhile.
func slow(s engines.Spec) (verify.Engine, error) {
	e, err := s.New()
	return function(func(ctx context.Context, p circuit.Problem) (cert.Verdict, error) {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
		return claimed(ctx, e, p)
	}), err
}

// actor is such a process.
type actor struct {
	*exec.Cmd
	in    io.WriteCloser
	lines chan string // that it prints; closed at its end
}

// start starts one in the network of a place: the files that it makes are in the folder of the
// stage.
func (c *stage) start(place string, args ...string) *actor {
	c.Helper()
	command := append(c.within(place), append([]string{os.Args[0]}, args...)...)
	a := &actor{Cmd: exec.Command(command[0], command[1:]...), lines: make(chan string, 100)}
	a.Stderr, a.Env = os.Stderr, append(os.Environ(), "TMPDIR="+c.temp)
	var err error
	if a.in, err = a.StdinPipe(); err != nil {
		c.Fatal(err)
	}
	out, err := a.StdoutPipe()
	if err != nil {
		c.Fatal(err)
	}
	if err := a.Start(); err != nil {
		c.Fatal(err)
	}
	c.all = append(c.all, a)
	c.Cleanup(a.kill)
	go func() {
		defer close(a.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			a.lines <- s.Text()
		}
	}()
	return a
}

// first returns the first line that one prints when it is ready.
func (c *stage) first(a *actor) string {
	c.Helper()
	select {
	case line, ok := <-a.lines:
		if ok {
			return line
		}
	case <-time.After(time.Minute):
	}
	c.Fatalf("%q does not begin", a.Args)
	return ""
}

// kill is kill −9.
func (a *actor) kill() {
	_ = a.Process.Kill()
	_ = a.Wait()
}

func (a *actor) signal(s syscall.Signal) { _ = a.Process.Signal(s) }

// setClock makes the clock of a server or a node wrong from now on, by hours or by years.
func (c *stage) setClock(a *actor) {
	c.Helper()
	const hour, year = 3600, 365 * 24 * 3600
	wrong := c.random.Int64N(48*hour) + 1
	if c.random.IntN(2) == 0 {
		wrong = c.random.Int64N(30*year) + 1
	}
	if c.random.IntN(2) == 0 {
		wrong = -wrong
	}
	c.Logf("the clock is wrong by %v", time.Duration(wrong)*time.Second)
	if _, err := fmt.Fprintln(a.in, wrong); err != nil {
		c.Fatal(err)
	}
	if first := c.first(a); first != clockSet {
		c.Fatalf("the clock: %q", first)
	}
}

// prepareClock looks whether clocks can be set.
func prepareClock(*stage) (missing string) {
	if !canShiftClock {
		return "a wrong clock needs Linux on amd64"
	}
	return ""
}

// stage is a cluster of processes.
type stage struct {
	*testing.T
	random *rand.Rand
	// dir is that of the server, temp for temporary files of all.
	dir, temp string
	port      string
	server    *actor
	nodes     []*actor
	askers    []*actor
	all       []*actor
	network   *network // nil: that of the machine
}

// Places of a network.
const (
	placeServer = "server"
	placeAsker  = "asker-%d"
	placeNode   = "node-%d"
)

// url returns how the server is reached from a place.
func (c *stage) url(place string) string {
	host := "127.0.0.1"
	if c.network != nil {
		host = c.network.serverFrom(place)
	}
	return "nats://" + host + ":" + c.port
}

// within returns the command that runs another one at a place.
func (c *stage) within(place string) []string {
	if c.network == nil {
		return nil
	}
	return c.network.within(place)
}

// startServer starts the server, again on its port.
func (c *stage) startServer() {
	c.Helper()
	host := "127.0.0.1:"
	if c.network != nil {
		host = "0.0.0.0:"
	}
	c.server = c.start(placeServer, roleServer, host+c.port, c.dir)
	c.port = c.first(c.server)
}

func (c *stage) startNode(i int, kind string) *actor {
	place := fmt.Sprintf(placeNode, i)
	a := c.start(place, roleNode, c.url(place), fmt.Sprint(kind, "-", i), kind)
	c.first(a)
	return a
}

// pause waits for some time, up to a bound.
func (c *stage) pause(most time.Duration) {
	time.Sleep(time.Duration(c.random.Int64N(int64(most))))
}

// lasting bounds what lasts longer than an asker waits for a sign of life, and a server for an
// acknowledgement.
const lasting = 20 * time.Second

// fault is what can happen to a cluster in the middle of its work. It returns when it is healed,
// if it can be.
type fault struct {
	name   string
	askers int
	// prepare is done before the cluster starts, and says what is missing for it; nil for nothing.
	prepare func(c *stage) (missing string)
	happen  func(c *stage)
}

var faults = []fault{
	{"a node is killed", 1, nil, func(c *stage) { c.nodes[0].kill() }},
	{"a node is stopped and goes on", 1, nil, func(c *stage) {
		c.nodes[0].signal(syscall.SIGSTOP)
		c.pause(lasting)
		c.nodes[0].signal(syscall.SIGCONT)
	}},
	{"the server is killed and comes back", 1, nil, func(c *stage) {
		c.server.kill()
		c.pause(2 * time.Second)
		c.startServer()
	}},
	{"the server is killed and comes back without its data", 1, nil, func(c *stage) {
		c.server.kill()
		if err := os.RemoveAll(filepath.Join(c.dir, "data")); err != nil {
			c.Fatal(err)
		}
		c.pause(2 * time.Second)
		c.startServer()
	}},
	{"a node lies", 1, nil, func(c *stage) { c.startNode(0, "lying") }},
	{"a node lies under many names", 1, nil, func(c *stage) { c.startNode(0, "renamed") }},
	{"the clock of a node is wrong, in one way and then in another", 1, prepareClock, func(c *stage) {
		c.setClock(c.nodes[0])
		c.pause(300 * time.Millisecond) // the work goes on for about as long
		c.setClock(c.nodes[0])
	}},
	{"a node is killed, and one whose clock is wrong begins", 1, prepareClock, func(c *stage) {
		c.nodes[0].kill()
		late := c.startNode(0, "late")
		c.setClock(late)
		c.nodes[1].kill()
	}},
	{"the clock of the server is wrong, in one way and then in another", 1, prepareClock, func(c *stage) {
		c.setClock(c.server)
		c.pause(300 * time.Millisecond) // the work goes on for about as long
		c.setClock(c.server)
	}},
	{"two ask the same, and a node is killed", 2, nil, func(c *stage) { c.nodes[1].kill() }},
	{"two ask the same, and one of them is killed", 2, nil, func(c *stage) { c.askers[1].kill() }},
}

// TestFaults: whatever happens to a cluster, every property ends with the verdict that it has
// alone, none is lost, and neither a process nor a file stays behind. With AIGLENS_LONG there
// are 200 runs, or AIGLENS_RUNS; AIGLENS_SEED repeats them, and AIGLENS_FAULT has only faults
// with a text in their name.
func TestFaults(t *testing.T) {
	runs := 1
	if os.Getenv("AIGLENS_LONG") != "" {
		runs = 200
		if n, err := strconv.Atoi(os.Getenv("AIGLENS_RUNS")); err == nil {
			runs = n
		}
	}
	faults := slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return !strings.Contains(f.name, os.Getenv("AIGLENS_FAULT")) })
	if len(faults) == 0 {
		t.Fatal("there is no such fault")
	}
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv("AIGLENS_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range runs {
		f := faults[random.IntN(len(faults))]
		after, own := 1+random.IntN(12), rand.New(rand.NewPCG(random.Uint64(), 0))
		t.Run(fmt.Sprintf("%d: %s after %d answers", i, f.name, after), func(t *testing.T) {
			c := &stage{T: t, random: own, dir: t.TempDir(), temp: t.TempDir(), port: "0"}
			if f.prepare != nil {
				if missing := f.prepare(c); missing != "" {
					t.Skip(missing)
				}
			}
			c.play(f, after)
		})
	}
}

// play lets a fault happen after so many answers, and looks at what comes of all.
func (c *stage) play(f fault, after int) {
	c.startServer()
	for i := range 2 {
		c.nodes = append(c.nodes, c.startNode(i, "honest"))
	}
	for i := range f.askers {
		place := fmt.Sprintf(placeAsker, i)
		c.askers = append(c.askers, c.start(place, roleAsker, c.url(place), fmt.Sprint("asker-", i)))
	}
	late := time.After(3 * time.Minute)
	answers := make([][]string, len(c.askers))
	listen := func(i int) bool {
		select {
		case line, ok := <-c.askers[i].lines:
			if ok {
				answers[i] = append(answers[i], line)
			}
			return ok
		case <-late:
			c.Fatalf("asker %d: only %q", i, answers[i])
		}
		return false
	}
	for range after {
		listen(0)
	}
	f.happen(c)
	for i, a := range c.askers {
		for a.ProcessState == nil && len(answers[i]) < properties && listen(i) {
		}
		if a.ProcessState == nil {
			c.compare(answers[i])
		}
	}
	for _, a := range c.all {
		_ = a.in.Close()
	}
	for _, a := range c.all {
		ended := time.AfterFunc(time.Minute, func() {
			c.Errorf("%q does not end", a.Args)
			a.signal(syscall.SIGKILL)
		})
		_ = a.Wait()
		ended.Stop()
	}
	if left, err := os.ReadDir(c.temp); err != nil || len(left) > 0 {
		c.Errorf("files left: %v, %v", left, err)
	}
}

// compare compares answers with the verdicts of all properties alone.
func (c *stage) compare(got []string) {
	want := slices.Clone(alone())
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		c.Errorf("%q, expected %q", got, want)
	}
}

// TestAskerKilled: the checks of an asker that is killed end. AIGLENS_RUNS is how many askers there
// are, one after the other.
func TestAskerKilled(t *testing.T) {
	s, err := Listen(ListenOptions{Address: "127.0.0.1:0", Dir: t.TempDir(), Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := Connect(t.Context(), Options{Server: s, Name: "node"}) // with its times
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	ended := make(chan time.Time, properties)
	begun := make(chan struct{}, properties)
	startNode(t, c, engineOf(function(func(ctx context.Context, _ circuit.Problem) (cert.Verdict, error) {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- time.Now()
		return cert.Verdict{}, ctx.Err()
	})))
	for range int(setting(t, "AIGLENS_RUNS", 1)) {
		asker := (&stage{T: t, temp: t.TempDir()}).start("", roleAsker, s.ns.ClientURL(), "asker")
		<-begun
		time.Sleep(rand.N(time.Second)) // at any time between two looks
		killed := time.Now()
		asker.kill()
		took := (<-ended).Sub(killed).Round(time.Millisecond)
		t.Logf("after %v", took)
		if took > longest { // on whatever machine
			t.Errorf("the check went on for %v", took)
		}
	}
}
