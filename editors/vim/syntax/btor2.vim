" Vim syntax file for BTOR2, for Vim and Neovim.
if exists('b:current_syntax')
  finish
endif

syntax case match

syntax match btor2Comment /\%(^\|\s\)\@1<=;.*/ contains=@Spell
syntax match btor2Row /^\s*\d\+ [a-z]\+[^;]*/ contains=btor2Id,btor2Number,btor2Negated
syntax match btor2Id /^\s*\d\+/ contained nextgroup=btor2Sort,btor2Element,btor2Property,btor2Assigned,btor2Operator skipwhite
syntax match btor2Operator /[a-z]\+/ contained
syntax match btor2Sort /\<sort \%(bitvec\|array\)\>/ contained
syntax match btor2Element /\<\%(input\|state\|consth\|constd\|const\|ones\|one\|zero\)\>/ contained
syntax match btor2Assigned /\<\%(init\|next\)\>/ contained
syntax match btor2Property /\<\%(bad\|constraint\|fair\|output\|justice\)\>/ contained
syntax match btor2Number /\s\@1<=\d\+\ze\%(\s\|$\)/ contained
syntax match btor2Negated /\s\@1<=-\d\+\ze\%(\s\|$\)/ contained

highlight default link btor2Comment Comment
highlight default link btor2Row Function
highlight default link btor2Id Number
highlight default link btor2Operator Operator
highlight default link btor2Sort Type
highlight default link btor2Element StorageClass
highlight default link btor2Assigned Statement
highlight default link btor2Property Keyword
highlight default link btor2Number Number
highlight default link btor2Negated Special

let b:current_syntax = 'btor2'
