if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=;\ %s comments=:;
" Symbols may have any character but a blank.
setlocal iskeyword=33-58,60-126,128-255
let b:undo_ftplugin = 'setlocal commentstring< comments< iskeyword<'
if !has('nvim') " which has a command of its own
  command! -buffer AiglensAt call aiglens#at()
  let b:undo_ftplugin .= ' | silent! delcommand -buffer AiglensAt'
endif
