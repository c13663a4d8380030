package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// examplesFolder holds the circuits that the tests of all commands take.
const examplesFolder = "../../examples/"

// services are the commands that write no result: they answer a client until it leaves.
var services = []string{"serve", "mcp", "debug", "worker", callName, "node", "cluster"}

// toStandardOutput are calls that write to standard output, at least one of each command that is
// no service; $tmp is a folder.
var toStandardOutput = []string{
	"--help", "--version", "check --version", "check --help", "help check",
	"check $good", "check --format json $good", "check --format hwmcc $good", "check --format sarif $good", "check --format junit $good",
	"check --stats --facts --unneeded $good", "check $broken", "check --witness $tmp/w $broken",
	"lint $noted", "lint --format json $noted", "lint --format sarif $good",
	"fmt $good", "fmt -d $unformatted", "convert $good", "convert --to aig $good", "convert --to blif $good",
	"replay --witness $witness $broken", "replay --witness $witness --to vcd $broken",
	"certify $model $certificate", "certify --format json $model $certificate",
	"cover --latches $good", "cover --signal two_at_work $broken", "cover --signal two_at_work --to vcd $broken",
	"equiv $good $good", "equiv --format json $good $good",
	"simulate $good", "suggest $good", "suggest --format json $good", "isolate $good", "isolate --format json $good", "another $broken", "another --format json $broken",
	"stats $good", "stats --format json $good", "proof $good", "obstacle $good",
	"cone --signal 2 $good", "at $good:3", "draw $good", "draw --states $good",
	"reduce --while-verdict refuted $broken", "hwmcc $broken $tmp/sat $tmp/unsat", "sby $good",
	"check $clauses", "check --format json $clauses", "check --stats $clauses", "horn --stats $clauses", "horn --proof $clauses",
	"bench --csv $tmp/rows.csv --report", "cache show --dir $tmp/cache", "cache verify --dir $tmp/cache", "cache clear --dir $tmp/cache",
	"completion bash", "completion zsh", "completion fish", "man", "help", "help check",
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/full", Err: syscall.ENOSPC}
}

// closed is a pipe whose reader has left.
type closed struct{}

func (closed) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

// circuitsOfMatrix writes the files that the calls are about, and returns what stands for them.
func circuitsOfMatrix(t *testing.T) *strings.Replacer {
	t.Helper()
	tmp := t.TempDir()
	at := func(name, text string) string {
		path := filepath.Join(tmp, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, broken := examplesFolder+"counter.aag", examplesFolder+"semaphore2_broken.aag"
	for _, call := range [][]string{{"check", "--no-cache", "--certificate", tmp, good}, {"check", "--no-cache", "--witness", tmp, broken}} {
		if _, said, code := runOn(nil, call...); code == exitUsage {
			t.Fatalf("%q: %s", call, said)
		}
	}
	if said, code := processTo(t, nil, "bench", "--csv", filepath.Join(tmp, "rows.csv"), good); code != exitOK {
		t.Fatalf("bench: %s", said)
	}
	return strings.NewReplacer(
		"$good", good, "$broken", broken, "$tmp", tmp,
		"$clauses", at("clauses.smt2", fmt.Sprintf(clauseText, "(= y 2)")),
		"$noted", at("noted.aag", "aag 2 1 0 1 0\n2\n4\n"), "$unformatted", at("unformatted.aag", "aag  1 1 0 1 0\n2\n2\n"),
		"$witness", filepath.Join(tmp, "semaphore2_broken.bad0.wit"),
		"$model", filepath.Join(tmp, "counter.bad0.model.aag"), "$certificate", filepath.Join(tmp, "counter.bad0.certificate.aag"),
	)
}

// TestFullDisk calls every command with a standard output that takes nothing, and with that of a
// pipe whose reader has left: as of head, which is not a fault.
func TestFullDisk(t *testing.T) {
	circuits := circuitsOfMatrix(t)
	called := map[string]bool{}
	for _, call := range toStandardOutput {
		args := strings.Fields(circuits.Replace(call))
		called[args[0]] = true
		to := func(w io.Writer) (said string, code int) {
			var stderr bytes.Buffer
			code = run(context.Background(), env{stdin: strings.NewReader(""), stdout: w, stderr: plainWriter{&stderr}}, args)
			return stderr.String(), code
		}
		want, usual := to(io.Discard)
		said, code := to(full{})
		const why = "aiglens: writing to standard output: no space left on device\n"
		if code != exitUsage || said != want+why {
			t.Errorf("%s: exit code %d with a full disk, and on standard error\n%s", call, code, said)
		}
		if said, code := to(closed{}); code != usual || said != want {
			t.Errorf("%s: exit code %d with a closed pipe, not %d, and on standard error\n%s", call, code, usual, said)
		}
	}
	for _, c := range commands() {
		if !called[c.name] && !slices.Contains(services, c.name) {
			t.Errorf("no call of %s is tried", c.name)
		}
	}
}

// TestFullDevice: the same of a process, and of /dev/full.
func TestFullDevice(t *testing.T) {
	device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer device.Close()
	for _, args := range [][]string{{"check", "--no-cache", examplesFolder + "counter.aag"}, {"--help"}} {
		said, code := processTo(t, device, args...)
		if want := "aiglens: writing to standard output: no space left on device\n"; code != exitUsage || said != want {
			t.Errorf("%q exits with %d: %s", args, code, said)
		}
	}
}

// TestFullCache: entries that cannot be written are reported once, and hinder nothing. A file in
// the place of each folder of entries stands for a full disk.
func TestFullCache(t *testing.T) {
	dir := t.TempDir()
	for _, high := range "0123456789abcdef" {
		for _, low := range "0123456789abcdef" {
			if err := os.WriteFile(filepath.Join(dir, string(high)+string(low)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv(cacheVariable, dir)
	said, code := processTo(t, nil, "check", examplesFolder+"counter.aag", examplesFolder+"fifo.aag", examplesFolder+"peterson.aag")
	if code != exitOK || strings.Count(said, "results are not kept") != 1 || !strings.Contains(said, cacheVariable) {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// processTo runs the program with its standard output to a file, and returns what it says.
func processTo(t *testing.T, stdout *os.File, args ...string) (said string, code int) {
	t.Helper()
	exe, err := exec.LookPath("aiglens") // that of TestMain
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	var stderr programOutput
	cmd.Stderr = &stderr
	if stdout != nil {
		cmd.Stdout = stdout
	}
	if err := runToEnd(t, cmd); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return stderr.String(), cmd.ProcessState.ExitCode()
}
