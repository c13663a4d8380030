-- For Neovim 0.7 to 0.10, which have no vim.lsp.enable: starts the server of lsp/aiglens.lua
-- with the first circuit that is opened.
if vim.lsp.config or vim.g.loaded_aiglens then
  return
end
vim.g.loaded_aiglens = true

local here = debug.getinfo(1, 'S').source:sub(2)
local config = dofile(vim.fn.fnamemodify(here, ':p:h:h') .. '/lsp/aiglens.lua')
local client

local function root(file)
  local git = vim.fn.finddir('.git', vim.fn.fnamemodify(file, ':p:h') .. ';')
  if git ~= '' then
    return vim.fn.fnamemodify(git, ':p:h:h')
  end
  return vim.fn.fnamemodify(file, ':p:h')
end

-- A server that has ended, by a crash or :lua vim.lsp.stop_client, starts again with the next
-- circuit that is opened or read again (:edit), and takes those that are open.
local function start(file)
  client = vim.lsp.start_client({
    name = 'aiglens',
    cmd = vim.g.aiglens_command or config.cmd,
    root_dir = root(file),
    init_options = config.init_options,
    on_exit = function(_, _, id)
      if client == id then
        client = nil
      end
    end,
  })
  for _, buffer in ipairs(client and vim.api.nvim_list_bufs() or {}) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(config.filetypes, vim.bo[buffer].filetype) then
      vim.lsp.buf_attach_client(buffer, client)
    end
  end
end

vim.api.nvim_create_autocmd('FileType', {
  group = vim.api.nvim_create_augroup('aiglens', {}),
  pattern = config.filetypes,
  callback = function(event)
    if not client then
      start(event.file)
    else
      vim.lsp.buf_attach_client(event.buf, client)
    end
  end,
})
