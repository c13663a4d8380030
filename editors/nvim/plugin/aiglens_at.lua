-- :AiglensAt shows all that is known of the place of the cursor, in a window below that follows the
-- cursor until it is closed.
if vim.g.loaded_aiglens_at then
  return
end
vim.g.loaded_aiglens_at = true

local shown -- the buffer with the answer
local cancel = function() end
local asked = 0 -- how often; only the last answer is shown

local function set(text)
  if shown and vim.api.nvim_buf_is_valid(shown) then
    vim.bo[shown].modifiable = true
    vim.api.nvim_buf_set_lines(shown, 0, -1, true, vim.split(text, '\n'))
    vim.bo[shown].modifiable = false
  end
end

local function encoding()
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)
  for _, client in pairs(clients) do
    if client.name == 'aiglens' then
      return client.offset_encoding
    end
  end
end

local function ask()
  local known = encoding()
  if not known then
    return
  end
  cancel()
  asked = asked + 1
  local number = asked
  local here = vim.lsp.util.make_position_params(0, known)
  local arguments = { { uri = here.textDocument.uri, position = here.position } }
  local _, stop = vim.lsp.buf_request(0, 'workspace/executeCommand', { command = 'aiglens.at', arguments = arguments },
    function(problem, answer)
      if number ~= asked then
        return
      end
      if answer then
        set(answer.text)
      elseif problem then
        set(problem.message)
      end
    end)
  cancel = stop
end

local group = vim.api.nvim_create_augroup('aiglens_at', {})

vim.api.nvim_create_user_command('AiglensAt', function()
  if not encoding() then
    return vim.notify('aiglens does not serve this file', vim.log.levels.ERROR)
  end
  if not (shown and vim.api.nvim_buf_is_valid(shown)) then
    shown = vim.api.nvim_create_buf(false, true)
    vim.bo[shown].filetype = 'markdown'
    vim.bo[shown].bufhidden = 'wipe'
    vim.api.nvim_clear_autocmds({ group = group })
    vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'DiagnosticChanged' }, { group = group, callback = function()
      if shown and vim.api.nvim_buf_is_valid(shown) then
        ask()
      else
        return true
      end
    end })
  end
  if vim.fn.bufwinid(shown) < 0 then
    local window = vim.api.nvim_get_current_win()
    vim.cmd('belowright 12split')
    vim.api.nvim_win_set_buf(0, shown)
    vim.api.nvim_set_current_win(window)
  end
  ask()
end, {})
