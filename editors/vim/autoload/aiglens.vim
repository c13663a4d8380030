" The server for ALE (https://github.com/dense-analysis/ale).

" Where the project of a buffer begins: the folder with .git, else that of the file.
function! aiglens#root(buffer) abort
  let l:git = ale#path#FindNearestDirectory(a:buffer, '.git')
  return empty(l:git) ? fnamemodify(bufname(a:buffer), ':p:h') : fnamemodify(l:git, ':h:h')
endfunction

" Makes the server known for a file type.
function! aiglens#define(filetype) abort
  call ale#Set('aiglens_executable', 'aiglens')
  call ale#Set('aiglens_options', {'diagnostics': {'proved': 'on'}})
  call ale#linter#Define(a:filetype, {
  \   'name': 'aiglens',
  \   'lsp': 'stdio',
  \   'executable': {buffer -> ale#Var(buffer, 'aiglens_executable')},
  \   'command': '%e serve',
  \   'language': a:filetype,
  \   'project_root': function('aiglens#root'),
  \   'initialization_options': {buffer -> ale#Var(buffer, 'aiglens_options')},
  \})
endfunction
