package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// snippet returns the first block of code below a line of the README.
func snippet(t *testing.T, below string) string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(readme), "\n"+below+"\n\n```")
	if !found {
		t.Fatalf("the README has no line %q above a block of code", below)
	}
	_, rest, _ = strings.Cut(rest, "\n")
	code, _, _ := strings.Cut(rest, "\n```")
	return code + "\n"
}

// runEditor runs an editor in a folder with a circuit of each format, each with an
// error, and a home of its own.
func runEditor(t *testing.T, program string, files map[string]string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is not installed", program)
		}
		t.Skipf("%s is not installed", program)
	}
	dir := t.TempDir()
	files["broken.aag"] = "aag 1 1 0 0 0 1\n3\n2\n"
	files["broken.blif"] = ".model top\n.inputs a\n.outputs y\n.names a nobody y\n11 1\n.end\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_STATE_HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", program, err, out)
	}
}

// TestNeovimSnippet: with the README's lines in its configuration, Neovim shows the
// diagnostics of both formats.
func TestNeovimSnippet(t *testing.T) {
	const look = `
for _, name in ipairs({ 'broken.aag', 'broken.blif' }) do
  vim.cmd('edit ' .. name)
  local buffer = vim.api.nvim_get_current_buf()
  local found = vim.wait(20000, function() return #vim.diagnostic.get(buffer) > 0 end, 20)
  if not found then
    print('no diagnostics in ' .. name .. '\n')
    vim.cmd('cquit 1')
  end
end
if #vim.lsp.get_active_clients() ~= 1 then
  print('the buffers do not share a server\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
`
	runEditor(t, "nvim", map[string]string{"init.lua": snippet(t, "**Neovim** 0.7 to 0.10, in `init.lua`:"), "look.lua": look},
		"--headless", "-u", "init.lua", "-i", "NONE", "-n", "+luafile look.lua")
}

// TestEmacsSnippet is the same for Emacs with Eglot, which of several files of a
// server needs the hook of the first one only.
func TestEmacsSnippet(t *testing.T) {
	const look = `
(dolist (name '("FILE"))
  (find-file name)
  (let ((end (+ (float-time) 20)))
    (while (and (< (float-time) end)
                (not (and (bound-and-true-p flymake-mode) (flymake-diagnostics))))
      (accept-process-output nil 0.05)
      (when (bound-and-true-p flymake-mode) (flymake-start)))
    (unless (and (bound-and-true-p flymake-mode) (flymake-diagnostics))
      (message "no diagnostics in %s" name)
      (kill-emacs 1))))
(eglot-shutdown (eglot-current-server))
(kill-emacs 0)
`
	const packages = `
(require 'package)
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
(setq eglot-sync-connect 10)
`
	// A batch Emacs runs no timers for hooks after a command; eglot-ensure connects
	// there.
	const connect = "\n(advice-add 'eglot-ensure :override (lambda () (apply #'eglot--connect (eglot--guess-contact))))\n"
	for _, name := range []string{"broken.aag", "broken.blif"} {
		text := packages + snippet(t, "**Emacs** with Eglot:") + connect + strings.Replace(look, "FILE", name, 1)
		runEditor(t, "emacs", map[string]string{"look.el": text}, "--batch", "-Q", "-l", "look.el")
	}
}
