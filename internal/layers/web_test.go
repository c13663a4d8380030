package layers_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The modules that the programs for browsers may hold, and what neither may: what belongs to processes and networks
// of a machine, which a browser has none of.
var (
	webModules = []string{
		"aiglens", "github.com/go-air/gini", "github.com/go-json-experiment/json", "github.com/google/go-dap",
		"go.lsp.dev/jsonrpc2", "go.lsp.dev/protocol", "go.lsp.dev/uri", "go.uber.org/multierr", "go.uber.org/zap", "golang.org/x/sync",
	}
	checkerModules = []string{"aiglens", "github.com/go-air/gini", "golang.org/x/sync"}
	// What only the other of the two needs.
	notIn = map[string][]string{
		"aiglens-web":     {"aiglens/ic3/horn", "aiglens/ic3/horn/auto", "aiglens/ic3/horn/simplify", "aiglens/ic3/lia"},
		"aiglens-checker": {"os/exec", "net", "aiglens/lsp", "aiglens/design"},
	}
	notInBrowsers = []string{"aiglens/cmd/aiglens", "aiglens/internal/cluster", "aiglens/internal/bench", "aiglens/internal/agents"}
)

// TestWebBuild holds what the programs for browsers are linked from to the lists above.
func TestWebBuild(t *testing.T) {
	for program, modules := range map[string][]string{"aiglens-web": webModules, "aiglens-checker": checkerModules} {
		allowed := map[string]bool{}
		for _, m := range modules {
			allowed[m] = true
		}
		never := map[string]bool{}
		for _, p := range notInBrowsers {
			never[p] = true
		}
		for _, p := range notIn[program] {
			never[p] = true
		}
		list := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}", module+"cmd/"+program)
		list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			path, of, _ := strings.Cut(strings.TrimSpace(line), " ")
			if of != "" && !allowed[of] || never[path] {
				t.Errorf("%s is linked from %s", program, path)
			}
		}
	}
}
