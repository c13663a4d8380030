autocmd BufRead,BufNewFile *.aag setfiletype aiger
autocmd BufRead,BufNewFile *.blif,*.eblif setfiletype blif
