package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// reader has a home with nothing in it, a folder to work in, and this program on the PATH.
type reader struct {
	folder string
	env    []string
}

func newReader(t *testing.T) *reader {
	t.Helper()
	need(t, "bash")
	home, bin := t.TempDir(), t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "aiglens")); err != nil {
		t.Skipf("no links: %v", err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "examples"), os.DirFS(filepath.Join("..", "..", "examples"))); err != nil {
		t.Fatal(err)
	}
	circuits := filepath.Join(folder, "circuits")
	if err := os.Mkdir(circuits, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"semaphore2.aag", "semaphore2_broken.aag"} {
		if err := os.Link(filepath.Join(folder, "examples", name), filepath.Join(circuits, name)); err != nil {
			t.Fatal(err)
		}
	}
	return &reader{folder, []string{"HOME=" + home, "PATH=" + bin + ":/usr/bin:/bin", "TERM=dumb", "LC_ALL=C.UTF-8", cacheVariable + "=" + cacheOff}}
}

// bash runs a script in the folder and returns both of its outputs, in the order of the terminal.
func (r *reader) bash(t *testing.T, script string, env ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir, cmd.Env = r.folder, append(r.env, env...)
	return allOutputOf(t, cmd)
}

// pageOf reads a page of the repository.
func pageOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	pagePart    = regexp.MustCompile("(?m)(?:^`([^`\n]+)`:\n\n)?^```([a-z]*)\n((?s:.*?))^```$")
	secondsPart = regexp.MustCompile(`\d+\.\d s\b`)
	sizesPart   = regexp.MustCompile(`depth \d+ · \d+ clauses?`)
)

// comparable leaves out of an output what differs from run to run.
func comparable(text string) string {
	return sizesPart.ReplaceAllString(secondsPart.ReplaceAllString(text, "N s"), "depth N · N clauses")
}

// TestPages follows each page command by command: what its console blocks show is what comes
// out. A block below the name of a file is that file.
func TestPages(t *testing.T) {
	for name, programs := range map[string][]string{"README.md": nil, "docs/ci.md": nil, "docs/sby.md": nil, "docs/yosys.md": {"yosys"}, "docs/verilog.md": {"yosys", "iverilog"}, "docs/btor2.md": {"yosys"}} {
		t.Run(name, func(t *testing.T) {
			need(t, programs...)
			r, blocks := newReader(t), 0
			for _, part := range pagePart.FindAllStringSubmatch(pageOf(t, name), -1) {
				file, language, text := part[1], part[2], part[3]
				switch {
				case file != "":
					if err := os.WriteFile(filepath.Join(r.folder, file), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				case language == "console":
					blocks++
					got, _ := r.bash(t, asScript(text)) // the page shows exit codes that matter
					if got, want := comparable(got), comparable(text); got != want {
						t.Errorf("the page shows\n%s\nand the commands print\n%s", want, got)
					}
				}
			}
			if blocks == 0 {
				t.Error("the page has no console block")
			}
		})
	}
}

// asScript is a script that prints each command of a console block before it runs it.
func asScript(block string) string {
	var script strings.Builder
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ "); ok {
			quoted := "'" + strings.ReplaceAll("$ "+command, "'", `'\''`) + "'"
			script.WriteString("code=$?; printf '%s\\n' " + quoted + "; (exit $code)\n" + command + "\n")
		}
	}
	return script.String()
}

var workflowStep = regexp.MustCompile(`(?m)^      - name: (.+)\n(?:        env:\n(?:          .*\n)+)?        run: \|\n((?:          .*\n)+)`)

// TestWorkflow runs the steps of the workflow in docs/ci.md, with an archive that holds this program.
func TestWorkflow(t *testing.T) {
	need(t, "curl", "tar")
	r := newReader(t)
	if out, err := r.bash(t, `mkdir aiglens-0.1.0-linux-x64 && cp -P "$(command -v aiglens)" aiglens-0.1.0-linux-x64/ && tar -czf archive.tar.gz aiglens-0.1.0-linux-x64`); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	paths := filepath.Join(r.folder, "paths")
	codes := map[string]int{}
	for _, step := range workflowStep.FindAllStringSubmatch(pageOf(t, "docs/ci.md"), -1) {
		added, _ := os.ReadFile(paths)
		out, err := r.bash(t, "set -eo pipefail; PATH="+strings.TrimSpace(string(added))+":/usr/bin:/bin\n"+step[2],
			"AIGLENS_ARCHIVE=file://"+filepath.Join(r.folder, "archive.tar.gz"), "GITHUB_PATH="+paths)
		exit, isExit := err.(*exec.ExitError)
		switch {
		case isExit:
			codes[step[1]] = exit.ExitCode()
		case err != nil:
			t.Fatal(err)
		default:
			codes[step[1]] = 0
		}
		t.Logf("%s: %s", step[1], out)
	}
	if want := map[string]int{"Install aiglens": 0, "Check": 1}; !reflect.DeepEqual(codes, want) {
		t.Errorf("exit codes of the steps %v, want %v", codes, want)
	}
	var log struct {
		Runs []struct{ Results []struct{ Kind string } }
	}
	text, err := os.ReadFile(filepath.Join(r.folder, "aiglens.sarif"))
	if err == nil {
		err = json.Unmarshal(text, &log)
	}
	if err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) != 2 {
		t.Errorf("aiglens.sarif: %v, %+v", err, log)
	}
}

// TestJSONFields: docs/ci.md names every field of an answer in JSON, and no other.
func TestJSONFields(t *testing.T) {
	_, section, _ := strings.Cut(pageOf(t, "docs/ci.md"), "\n## JSON\n")
	section, _, _ = strings.Cut(section, "\n## ")
	named := map[string]bool{}
	for line := range strings.Lines(section) {
		if fields, ok := strings.CutPrefix(line, "| `"); ok {
			fields, _, _ = strings.Cut(fields, " | ")
			for field := range strings.SplitSeq(fields, ", ") {
				named[strings.Trim(field, "`")] = true
			}
		}
	}
	answer := reflect.TypeFor[jsonAnswer]()
	for i := range answer.NumField() {
		field, _, _ := strings.Cut(answer.Field(i).Tag.Get("json"), ",")
		if !named[field] {
			t.Errorf("docs/ci.md does not name the field %s", field)
		}
		delete(named, field)
	}
	for field := range named {
		t.Errorf("docs/ci.md names the field %s, which no answer has", field)
	}
}

func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%s is not installed", program)
			}
			t.Skipf("%s is not installed", program)
		}
	}
}
