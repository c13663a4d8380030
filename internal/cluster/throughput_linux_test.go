package cluster

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/internal/shared"
)

// nodesOfMany are the nodes whose time is compared with that of one.
const nodesOfMany = 4

// longestCheck bounds what one such node needs for each of the properties, by its own clock.
const longestCheck = 5 * time.Second

// scale is a cluster of programs with a part of a core each.
type scale struct {
	*stage
	program string
	core    float64 // for each node
}

// TestThroughput: four nodes take at most 1/3.2 of the time of one. Each is a process with a
// part of a core (AIGLENS_CORE, 0.35), with its workers, in a network of its own, and they check
// properties (AIGLENS_PROPERTIES, 1000) of real circuits that one such node decides within
// 5 s each. The median of AIGLENS_ROUNDS (1) counts. A folder AIGLENS_WORK keeps the choice of
// properties for another time.
func TestThroughput(t *testing.T) {
	if os.Getenv("AIGLENS_LONG") == "" {
		t.Skip("without AIGLENS_LONG")
	}
	s := &scale{stage: &stage{T: t, random: rand.New(rand.NewPCG(7, 0)), temp: t.TempDir()}, core: setting(t, "AIGLENS_CORE", 0.35)}
	places := []string{"asker-0"}
	for i := range nodesOfMany {
		places = append(places, fmt.Sprintf(placeNode, i))
	}
	if missing := s.newNetwork(places...); missing != "" {
		t.Skip(missing)
	}
	if missing := s.newGroups(); missing != "" {
		t.Skip(missing)
	}
	s.program = filepath.Join(t.TempDir(), "aiglens")
	if out, err := exec.Command("go", "build", "-o", s.program, "aiglens/cmd/aiglens").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	work := os.Getenv("AIGLENS_WORK")
	if work == "" {
		work = t.TempDir()
	}
	chosen := filepath.Join(work, "chosen")
	if _, err := os.Stat(chosen); errors.Is(err, fs.ErrNotExist) {
		s.choose(chosen, int(setting(t, "AIGLENS_PROPERTIES", 1000)))
	}
	var one, many []time.Duration
	for range int(setting(t, "AIGLENS_ROUNDS", 1)) {
		took, alone := s.run(1, chosen, 2*longestCheck)
		one = append(one, took)
		took, together := s.run(nodesOfMany, chosen, 2*longestCheck)
		many = append(many, took)
		t.Logf("one node %v, %d nodes %v", one[len(one)-1], nodesOfMany, took)
		for name, v := range alone {
			if v.Verdict == "unknown" || v.seconds() > longestCheck || v.Verdict != together[name].Verdict {
				t.Errorf("%s: alone %+v, together %+v", name, v, together[name])
			}
		}
	}
	slices.Sort(one)
	slices.Sort(many)
	ratio := many[len(many)/2].Seconds() / one[len(one)/2].Seconds()
	t.Logf("%d nodes with %.2f of a core each take 1/%.2f of the time of one, by the medians", nodesOfMany, s.core, 1/ratio)
	if ratio > 1/3.2 {
		t.Errorf("that is more than 1/3.2")
	}
}

// The folders of control groups, of the first version and of the second.
const (
	groupsV1 = "/sys/fs/cgroup/cpu"
	groupsV2 = "/sys/fs/cgroup"
)

// group returns the folder of the control group of a node.
func (s *scale) group(i int) string {
	name := fmt.Sprintf("aiglens-%d-%d", os.Getpid(), i)
	if _, err := os.Stat(filepath.Join(groupsV1, "cpu.cfs_period_us")); err == nil {
		return filepath.Join(groupsV1, name)
	}
	return filepath.Join(groupsV2, name)
}

// newGroups makes one control group for each node. The period is a fifth of the usual one, so that
// a node is not still for long.
func (s *scale) newGroups() (missing string) {
	const period = 20_000 // in µs
	quota := fmt.Sprint(int(period * s.core))
	for i := range nodesOfMany {
		dir := s.group(i)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return fmt.Sprintf("no control group: %v", err)
		}
		s.Cleanup(func() {
			if err := os.Remove(dir); err != nil {
				s.Error(err)
			}
		})
		write := func(file, text string) error {
			return os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644)
		}
		// The weight is that of many, so that a machine which does other things gives the quota.
		err := errors.Join(write("cpu.max", quota+" "+fmt.Sprint(period)), write("cpu.weight", "1000"))
		if strings.HasPrefix(dir, groupsV1+"/") {
			err = errors.Join(write("cpu.cfs_period_us", fmt.Sprint(period)), write("cpu.cfs_quota_us", quota), write("cpu.shares", "10240"))
		}
		if err != nil {
			return fmt.Sprintf("a control group without a quota: %v", err)
		}
	}
	return ""
}

// launch starts the program at a place, before others of the machine where that is allowed, and
// returns once it has said something.
func (s *scale) launch(place, group string, args ...string) (p *exec.Cmd, out *bufio.Reader) {
	s.Helper()
	script := `[ -z "$1" ] || echo $$ >"$1/cgroup.procs"; shift; exec nice -n -5 "$@"`
	command := append([]string{"sh", "-c", script, "sh", group}, s.within(place)...)
	command = append(append(command, s.program), args...)
	p = exec.Command(command[0], command[1:]...)
	p.Stderr, p.Env = os.Stderr, append(os.Environ(), "TMPDIR="+s.temp, "XDG_CACHE_HOME="+s.temp)
	pipe, err := p.StdoutPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := p.Start(); err != nil {
		s.Fatal(err)
	}
	out = bufio.NewReader(pipe)
	if _, err := out.Peek(1); err != nil {
		s.Fatalf("%q: %v", p.Args, err)
	}
	return p, out
}

// checked is what the program says of one property.
type checked struct {
	File, Verdict, Reason string
	Seconds               float64
}

func (c checked) seconds() time.Duration { return time.Duration(c.Seconds * float64(time.Second)) }

// run starts so many nodes, which check all of a folder, each for so long at most, and returns how long that takes and what comes
// of each file.
func (s *scale) run(nodes int, folder string, limit time.Duration) (took time.Duration, all map[string]checked) {
	s.Helper()
	end := func(p *exec.Cmd) {
		_ = p.Process.Signal(os.Interrupt)
		_ = p.Wait()
	}
	server, _ := s.launch(placeServer, "", "node", "--listen", "0.0.0.0:"+s.port, "--insecure", "--slots", "0", "--dir", s.TempDir())
	defer end(server)
	for i := range nodes {
		place := fmt.Sprintf(placeNode, i)
		node, _ := s.launch(place, s.group(i), "node", "--join", s.url(place), "--slots", "1", "--name", place)
		defer end(node)
	}
	begin := time.Now()
	asker, out := s.launch("asker-0", "", "check", "--on", s.url("asker-0"), "--no-cache", "--no-vacuity", "--format", "json", "--timeout", fmt.Sprint(limit), folder)
	all = map[string]checked{}
	for lines := json.NewDecoder(out); lines.More(); {
		var c checked
		if err := lines.Decode(&c); err != nil {
			s.Fatal(err)
		}
		all[filepath.Base(c.File)] = c
	}
	_ = asker.Wait() // its code says what the properties are
	return time.Since(begin), all
}

// chosenWithin leaves room below longestCheck: no run takes exactly as long as another one.
const chosenWithin = longestCheck * 4 / 5

// choose puts so many properties into a folder, each as a file, that a node decides within
// chosenWithin.
func (s *scale) choose(chosen string, n int) {
	s.Helper()
	dir, round, found := chosen+".new", 0, 0
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.Fatal(err)
	}
	candidates := slices.DeleteFunc(s.candidates(), func(c candidate) bool {
		_, err := os.Stat(filepath.Join(dir, c.name)) // chosen by a run that was interrupted
		if err == nil {
			found++
		}
		return err == nil
	})
	s.random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	for found < n && len(candidates) > 0 {
		round++
		folder := filepath.Join(s.TempDir(), fmt.Sprint(round))
		if err := os.Mkdir(folder, 0o755); err != nil {
			s.Fatal(err)
		}
		some := candidates[:min(len(candidates), max(10, n/3))]
		candidates = candidates[len(some):]
		for _, c := range some {
			if err := os.WriteFile(filepath.Join(folder, c.name), c.text, 0o644); err != nil {
				s.Fatal(err)
			}
		}
		_, all := s.run(nodesOfMany, folder, chosenWithin)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			v := all[name]
			if v.Verdict == "unknown" || found == n {
				continue
			}
			if err := os.Rename(filepath.Join(folder, name), filepath.Join(dir, name)); err != nil {
				s.Fatal(err)
			}
			found++
		}
		s.Logf("%d properties chosen", found)
	}
	if found < n {
		s.Logf("no more than %d properties are decided in %v", found, chosenWithin)
	}
	if err := os.Rename(dir, chosen); err != nil {
		s.Fatal(err)
	}
}

// candidate is a property as a circuit of its own.
type candidate struct {
	name string
	text []byte // binary AIGER
}

// candidates returns the properties of safety of the two sets with many of them, and of the tiers
// smoke and small, each once.
func (s *scale) candidates() (all []candidate) {
	s.Helper()
	folder := filepath.Join(shared.Dir(s), "benchmarks")
	var files []string
	for _, set := range []string{"hwmcc11-multi", "hwmcc13-multi"} {
		some, _ := filepath.Glob(filepath.Join(folder, set, "*.aig")) // the pattern is a good one
		files = append(files, some...)
	}
	f, err := os.Open(filepath.Join(folder, "peers.csv"))
	if err != nil {
		s.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		s.Fatal(err)
	}
	tier := slices.Index(rows[0], "tier")
	for _, row := range rows[1:] {
		if row[tier] == "smoke" || row[tier] == "small" {
			files = append(files, filepath.Join(folder, row[0]))
		}
	}
	seen := map[string]bool{}
	for _, file := range files {
		for i, text := range s.cones(file) {
			if hash := hashOf(text); !seen[hash] {
				seen[hash] = true
				name := strings.TrimSuffix(filepath.Base(file), ".aig")
				all = append(all, candidate{fmt.Sprintf("%s-%d.aig", name, i), text})
			}
		}
	}
	return all
}

// cones returns the cones of the properties of safety of a file that have a latch.
func (s *scale) cones(file string) (all [][]byte) {
	s.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		s.Fatal(err)
	}
	in, err := aiger.Read(file, data)
	if err != nil {
		s.Fatal(err)
	}
	c := in.Circuit()
	if c == nil {
		s.Fatalf("%s: %v", file, in.Diagnostics)
	}
	for _, p := range c.Properties() {
		cone, err := c.Cone(p)
		if err != nil {
			s.Fatal(err)
		}
		if len(cone.Problem.Circuit.Latches()) == 0 || cone.Problem.Question != circuit.Safety {
			continue
		}
		text, err := aiger.FromCircuit(cone.Problem.Circuit).AppendBinary(nil)
		if err != nil {
			s.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}
