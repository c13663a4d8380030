-- What a user of Neovim does with a circuit: reads an error, looks at a latch, follows it,
-- renames it, saves and sees a verdict, and asks for one of what is not saved.
local function fail(text)
  io.stderr:write(text .. '\n')
  vim.cmd('cquit 1')
end

local function wait(what, happened)
  if not vim.wait(60000, happened, 20) then
    fail('no ' .. what .. ' in\n' .. table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
      .. '\n' .. vim.inspect(vim.diagnostic.get(0)))
  end
end

local function says(words)
  for _, d in ipairs(vim.diagnostic.get(0)) do
    if d.message:find(words, 1, true) then
      return true
    end
  end
  return false
end

local function line(n)
  return vim.api.nvim_buf_get_lines(0, n - 1, n, true)[1]
end

for _, name in ipairs({ 'broken.aag', 'broken.blif', 'broken.btor2', 'broken.smt2' }) do
  vim.cmd('edit ' .. name)
  wait('diagnostic of ' .. name, function() return #vim.diagnostic.get(0) > 0 end)
end

vim.cmd('edit toggle.aag')
wait('server', function()
  for _, client in pairs(vim.lsp.buf_get_clients(0)) do
    return client.initialized
  end
end)
if #vim.lsp.get_active_clients() ~= 1 then
  fail('the buffers do not share a server')
end

-- Hover over the latch.
vim.api.nvim_win_set_cursor(0, { 3, 0 })
vim.lsp.buf.hover()
wait('hover', function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), '\n')
      if text:find('lamp', 1, true) then
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end
end)

-- From its use in the AND to its row.
vim.api.nvim_win_set_cursor(0, { 5, 2 })
vim.lsp.buf.definition()
wait('definition', function() return vim.api.nvim_win_get_cursor(0)[1] == 3 end)

vim.lsp.buf.rename('light')
wait('renaming', function() return line(7) == 'l0 light' end)

vim.cmd('write')
wait('counterexample', function() return says('refuted') end)

-- What is known of a place, in a window that follows the cursor until it is closed.
local function known(words)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[buffer].filetype == 'markdown' and table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n'):find(words, 1, true) then
      return buffer
    end
  end
end
vim.api.nvim_win_set_cursor(0, { 4, 0 })
vim.cmd('AiglensAt')
wait('place of the property', function() return known('refuted') and known('Why it fails') end)
vim.api.nvim_win_set_cursor(0, { 3, 0 })
vim.api.nvim_exec_autocmds('CursorMoved', {})
wait('place of the latch', function() return known('**latch** 0 `light`') end)

-- An error is shown, and no earlier answer.
local position_params = vim.lsp.util.make_position_params
vim.lsp.util.make_position_params = function()
  return { textDocument = { uri = 'file:///missing.aag' }, position = { line = 0, character = 0 } }
end
vim.api.nvim_exec_autocmds('CursorMoved', {})
wait('error of a place', function() return known('missing.aag is not open') and not known('**latch** 0 `light`') end)
vim.lsp.util.make_position_params = position_params
vim.api.nvim_win_close(vim.fn.bufwinid(known('missing')), true)

vim.api.nvim_buf_set_lines(0, 2, 3, true, { '4 0' })
vim.cmd('write')
wait('proof', function() return says('proved') and not says('refuted') end)

-- Not saved: asked for by a code action.
vim.api.nvim_buf_set_lines(0, 2, 3, true, { '4 6' })
vim.api.nvim_win_set_cursor(0, { 4, 0 })
vim.ui.select = function(items, _, choose)
  for i, item in ipairs(items) do
    if vim.inspect(item):find('Check property', 1, true) then
      return choose(item, i)
    end
  end
  fail('no action to check among ' .. vim.inspect(items))
end
vim.lsp.buf.code_action()
wait('counterexample of what is not saved', function() return says('refuted') and vim.bo.modified end)

-- A server that has ended begins again with the next circuit, and takes the open ones.
local lamp = vim.api.nvim_get_current_buf()
vim.lsp.stop_client(vim.lsp.get_active_clients(), true)
wait('end of the server', function() return #vim.lsp.get_active_clients() == 0 end)
vim.cmd('buffer! broken.aag')
wait('diagnostic of the new server', function()
  if #vim.lsp.get_active_clients() == 0 then
    vim.cmd('edit') -- again until the editor knows of the end
  end
  return #vim.lsp.get_active_clients() == 1 and #vim.diagnostic.get(0) > 0
end)
if not vim.lsp.buf_is_attached(lamp, vim.lsp.get_active_clients()[1].id) then
  fail('the open circuit is not attached to the new server')
end
vim.cmd('qall!')
