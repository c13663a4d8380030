package life

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// program is the path of aiglens.
var program string

// TestMain builds the program.
func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "aiglens-life-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := 1
	defer func() {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}()
	program = filepath.Join(dir, "aiglens")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", slices.Concat([]string{"build"}, raceFlags, []string{"-o", program, "aiglens/cmd/aiglens"})...)
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building aiglens:", err)
		return
	}
	code = m.Run()
}
