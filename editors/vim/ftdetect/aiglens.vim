autocmd BufRead,BufNewFile *.aag setfiletype aiger
autocmd BufRead,BufNewFile *.blif,*.eblif setfiletype blif
autocmd BufRead,BufNewFile *.btor2,*.btor setfiletype btor2
autocmd BufRead,BufNewFile *.smt2 setfiletype smt2
