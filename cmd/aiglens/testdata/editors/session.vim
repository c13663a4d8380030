" What a user of Vim with ALE does with a circuit: reads an error, looks at a latch, follows
" it, renames it, saves and sees a verdict, and asks for one of what is not saved.
function! Fail(text) abort
  call writefile([a:text], 'failure')
  cquit
endfunction

" Waits until an expression is true.
function! Wait(what, expression) abort
  let l:end = reltime()
  while !eval(a:expression)
    if reltimefloat(reltime(l:end)) > 60
      call Fail('no ' . a:what . ' in ' . string(getline(1, '$')) . ' ' . string(ale#engine#GetLoclist(bufnr(''))) . execute('messages'))
    endif
    sleep 20m
  endwhile
endfunction

function! Says(words) abort
  return !empty(filter(copy(ale#engine#GetLoclist(bufnr(''))), 'stridx(v:val.text, a:words) >= 0'))
endfunction

" What a user types when ALE asks: a new name, or the number of an action.
runtime autoload/ale/util.vim
function! ale#util#Input(message, value, ...) abort
  let l:number = matchstr(a:message, '\d\+\ze) Check property')
  return empty(l:number) ? 'light' : l:number
endfunction

try
  for s:name in ['broken.aag', 'broken.blif', 'broken.btor2', 'broken.smt2']
    execute 'edit ' . s:name
    call Wait('diagnostic of ' . s:name, '!empty(ale#engine#GetLoclist(bufnr("")))')
  endfor

  edit toggle.aag
  call cursor(3, 1)
  let g:ale_hover_to_preview = 1
  ALEHover
  call Wait('hover', 'bufnr("^ALEPreviewWindow$") > 0 && stridx(join(getbufline(bufnr("^ALEPreviewWindow$"), 1, "$")), "lamp") >= 0')
  pclose

  call cursor(5, 3)
  ALEGoToDefinition
  call Wait('definition', 'line(".") == 3')

  ALERename
  call Wait('renaming', 'getline(7) is# "l0 light"')

  write
  call Wait('counterexample', 'Says("refuted")')

  call cursor(4, 1)
  AiglensAt
  call Wait('place of the property', 'bufnr("^ALEPreviewWindow$") > 0 && stridx(join(getbufline(bufnr("^ALEPreviewWindow$"), 1, "$")), "Why it fails") >= 0')
  pclose

  call setline(3, '4 0')
  write
  call Wait('proof', 'Says("proved") && !Says("refuted")')

  " Not saved: asked for by a code action.
  call setline(3, '4 6')
  call cursor(4, 1)
  ALECodeAction
  call Wait('counterexample of what is not saved', 'Says("refuted")')
  if !&modified
    call Fail('the text was saved')
  endif
  qall!
catch
  call Fail(v:exception . ' at ' . v:throwpoint)
endtry
