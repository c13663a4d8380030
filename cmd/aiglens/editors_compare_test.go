package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// snippetOf is snippet for a page of the repository.
func snippetOf(t *testing.T, page, below string) string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(readme), "\n"+below+"\n\n```")
	if !found {
		t.Fatalf("%s has no line %q above a block of code", page, below)
	}
	_, rest, _ = strings.Cut(rest, "\n")
	code, _, _ := strings.Cut(rest, "\n```")
	return code + "\n"
}

// TestNeovimCompare: with the lines of docs/compare.md beside, Neovim compares a circuit with the
// last commit and with another file, and says why where it cannot.
func TestNeovimCompare(t *testing.T) {
	const look = `
local said
vim.notify = function(message) said = message end
local function expect(command, want)
  said = nil
  vim.cmd(command)
  if not vim.wait(20000, function() return said ~= nil end, 20) or not said:find(want, 1, true) then
    print(command .. ' says ' .. tostring(said) .. ' and not ' .. want .. '\n')
    vim.cmd('cquit 1')
  end
end
local function git(...)
  vim.fn.system({ 'git', '-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ... })
  if vim.v.shell_error ~= 0 then vim.cmd('cquit 1') end
end
vim.cmd('edit chain.aag')
if not vim.wait(20000, function() local all = vim.lsp.get_active_clients(); return #all > 0 and all[1].initialized end, 20) then vim.cmd('cquit 1') end
expect('AiglensCompare', 'not a git repository')
git('init', '-q')
expect('AiglensCompare', 'HEAD')
git('add', 'other.aag')
git('commit', '-q', '-m', 'one')
expect('AiglensCompare', "not in 'HEAD'")
git('add', 'chain.aag')
git('commit', '-q', '-m', 'two')
expect('AiglensCompare', 'same function')
vim.fn.setline(3, '4 3')
expect('AiglensCompare', 'differs at step 3 in y')
expect('AiglensCompare other.aag', 'differs at step 0 in y')
expect('AiglensCompare missing.aag', 'no such file')
vim.env.PATH = ''
expect('AiglensCompare', 'git is not installed')
vim.cmd('qall!')
`
	const chain = "aag 4 1 3 1 0\n2\n4 2\n6 4\n8 6\n8\ni0 a\nl0 first\nl1 second\nl2 third\no0 y\n"
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	compare := snippetOf(t, "docs/compare.md", "`:AiglensCompare FILE` with a file. Models of other files are those that there are now. Git is run by the editor:")
	runEditor(t, "nvim", map[string]string{
		"init.lua": strings.ReplaceAll(snippet(t, "In `init.lua`:"), "EDITORS", shipped(t)) + compare, "look.lua": look,
		"chain.aag": chain, "other.aag": strings.Replace(chain, "\n8\ni0", "\n9\ni0", 1),
	}, "--headless", "-u", "init.lua", "-i", "NONE", "-n", "+luafile look.lua")
}
