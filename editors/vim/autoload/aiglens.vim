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

" Shows all that is known of the place of the cursor in the preview window.
function! aiglens#at() abort
  let l:column = strchars(strpart(getline('.'), 0, col('.') - 1))
  let l:place = {'uri': ale#util#ToURI(expand('%:p')), 'position': {'line': line('.') - 1, 'character': l:column}}
  call ale#lsp_linter#SendRequest(bufnr(''), 'aiglens', ale#lsp#message#ExecuteCommand('aiglens.at', [l:place]), function('s:show'))
endfunction

function! s:show(response) abort
  if has_key(a:response, 'result')
    call ale#preview#Show(split(a:response.result.text, "\n", 1), {'filetype': 'markdown', 'stay_here': 1})
  else
    echohl ErrorMsg | echomsg get(get(a:response, 'error', {}), 'message', 'no answer') | echohl None
  endif
endfunction
