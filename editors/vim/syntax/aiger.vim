" Vim syntax file for AIGER as text, for Vim and Neovim.
"
" What a number of the upper part stands for depends on the counts of the header, which
" patterns cannot know: those that are shown there are the constants and, by their last
" digit, the negated literals.
if exists('b:current_syntax')
  finish
endif

syntax case match

syntax match aigerConstant /\%(^\|\s\)\@1<=[01]\ze\%(\s\|$\)/
syntax match aigerLiteral /\%(^\|\s\)\@1<=\d*[2468]\ze\%(\s\|$\)/
syntax match aigerLiteral /\%(^\|\s\)\@1<=\d\+0\ze\%(\s\|$\)/
syntax match aigerNegated /\%(^\|\s\)\@1<=\d*[3579]\ze\%(\s\|$\)/
syntax match aigerNegated /\%(^\|\s\)\@1<=\d\+1\ze\%(\s\|$\)/

syntax match aigerHeader /\%1l^\%(aag\|aig\)\>.*/ contains=aigerFormat,aigerCount
syntax match aigerFormat /\%1l^\%(aag\|aig\)\>/ contained
syntax match aigerCount /\<\d\+\>/ contained

syntax match aigerSymbol /^[ilobcjf]\d\+\%( .*\)\?$/ contains=aigerInputName,aigerLatchName,aigerPropertyName
syntax match aigerInputName /\%(^i\d\+ \)\@<=.*/ contained
syntax match aigerLatchName /\%(^l\d\+ \)\@<=.*/ contained
syntax match aigerPropertyName /\%(^[obcjf]\d\+ \)\@<=.*/ contained

" A line that is exactly c begins free text up to the end of the file.
syntax region aigerComment start=/^c$/ end=/\%$/ contains=@Spell
syntax sync match aigerSyncComment grouphere aigerComment /^c$/

highlight default link aigerFormat Keyword
highlight default link aigerCount Number
highlight default link aigerConstant Boolean
highlight default link aigerLiteral Identifier
highlight default link aigerNegated Special
highlight default link aigerSymbol Type
highlight default link aigerInputName Identifier
highlight default link aigerLatchName Structure
highlight default link aigerPropertyName Function
highlight default link aigerComment Comment

let b:current_syntax = 'aiger'
