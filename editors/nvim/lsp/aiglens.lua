-- For Neovim 0.11 or newer: vim.lsp.enable('aiglens') in init.lua.
return {
  cmd = { 'aiglens', 'serve' },
  filetypes = { 'aiger', 'blif', 'btor2', 'smt2' },
  root_markers = { '.git' },
  init_options = { diagnostics = { proved = 'on' } },
}
