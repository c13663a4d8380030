package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// nodeFlagsOf returns the flags of a command that starts a node.
func nodeFlagsOf(t *testing.T, args []string) (flags nodeFlags) {
	t.Helper()
	fs := newFlags("node")
	flags.register(fs)
	err := fs.Parse(args[1:])
	if err == nil {
		err = flags.validate()
	}
	if args[0] != "node" || err != nil || fs.NArg() > 0 {
		t.Errorf("%q: %v", args, err)
	}
	return flags
}

// TestServices: the files of docs/cluster.md that start nodes as services give flags that there are,
// and systemd takes its own.
func TestServices(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "cluster.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## As a service\n")
	files := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)\n```(\\w+)\n(.*?)\n```\n").FindAllStringSubmatch(section, -1) {
		files[m[1]] = m[2]
	}
	for language, command := range map[string]*regexp.Regexp{
		"ini": regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/aiglens (.*)$`),
		"sh":  regexp.MustCompile(`(?m)^srun aiglens (.*)$`),
	} {
		found := command.FindStringSubmatch(files[language])
		if found == nil {
			t.Errorf("%s: no command in %q", language, files[language])
			continue
		}
		args := strings.Fields(strings.NewReplacer(`"`, "", ",", "").Replace(found[1]))
		nodeFlagsOf(t, args)
	}
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd is not here")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "aiglens-node.service")
	text := strings.Replace(files["ini"], "/usr/local/bin/aiglens", program, 1)
	if err := os.WriteFile(unit, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(verify, "verify", unit).CombinedOutput(); err != nil || strings.Contains(string(out), unit) {
		t.Errorf("%v: %s", err, out)
	}
}
