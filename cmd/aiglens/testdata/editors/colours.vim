" Writes the syntax group of each character of the files in names: file, line, column, group.
set nocompatible
syntax on
let s:out = []
for s:name in readfile('names')
  execute 'edit ' . fnameescape(s:name)
  syntax sync fromstart
  for s:line in range(1, line('$'))
    for s:column in range(1, len(getline(s:line)))
      call add(s:out, join([s:name, s:line, s:column, synIDattr(synID(s:line, s:column, 1), 'name')], "\t"))
    endfor
  endfor
endfor
call writefile(s:out, 'colours')
qall!
