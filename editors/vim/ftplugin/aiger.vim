" AIGER has no comments in lines: a line c begins free text up to the end.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring= comments=
let b:undo_ftplugin = 'setlocal commentstring< comments<'
if !has('nvim') " which has a command of its own
  command! -buffer AiglensAt call aiglens#at()
  let b:undo_ftplugin .= ' | silent! delcommand -buffer AiglensAt'
endif
