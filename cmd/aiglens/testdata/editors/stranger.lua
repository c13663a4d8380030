-- The first verdict: a circuit is opened and saved, and its property is refuted.
vim.cmd('edit semaphore2_broken.aag')
local function wait(what, happened)
  if not vim.wait(60000, happened, 20) then
    io.stderr:write('no ' .. what .. ' in ' .. vim.inspect(vim.diagnostic.get(0)) .. '\n')
    vim.cmd('cquit 1')
  end
end
wait('server', function()
  local all = vim.lsp.get_active_clients()
  return #all > 0 and all[1].initialized
end)
vim.cmd('write')
wait('verdict', function()
  for _, d in ipairs(vim.diagnostic.get(0)) do
    if d.message:find('refuted at step 4', 1, true) then
      return true
    end
  end
  return false
end)
vim.cmd('qall!')
