if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=;\ %s comments=:; lisp
" Symbols may have any of these characters.
setlocal iskeyword=33,36-38,42,43,45-58,60-64,65-90,94,95,97-122,126
let b:undo_ftplugin = 'setlocal commentstring< comments< iskeyword< lisp<'
