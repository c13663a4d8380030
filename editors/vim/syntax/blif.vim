" Vim syntax file for BLIF, for Vim and Neovim.
if exists('b:current_syntax')
  finish
endif

syntax case match

" A statement goes on after a backslash at the end of a line.
syntax match blifContinuation /\\\s*\n/ contained

syntax match blifComment /#.*/ contains=blifProperty,@Spell
syntax match blifProperty /\%(^\s*#\s*\)\@<=prop:.*/ contained contains=blifPropertyWord,blifPropertyKind,blifPropertyName,blifPropertyString
syntax match blifPropertyName /\S\+/ contained
syntax match blifPropertyWord /prop:/ contained
syntax match blifPropertyKind /\%(prop:\s*\)\@<=[^[:space:]:]\+/ contained
syntax region blifPropertyString start=/"/ end=/"/ oneline contained

" Rows of covers, and of state tables with two states in the middle.
syntax match blifRow /^\s*[01-]\+\%(\s\+[01]\)\?\ze\s*\%(#\|$\)/ contains=blifCube
syntax match blifStateRow /^\s*[01-]\+\s\+[^[:space:]#]\+\s\+[^[:space:]#]\+\s\+[01-]\+\ze\s*\%(#\|$\)/ contains=blifStates,blifCube
syntax match blifStates /\%(^\s*[01-]\+\s\+\)\@<=[^[:space:]#]\+\s\+[^[:space:]#]\+/ contained
syntax match blifCube /\%(^\|\s\)\@1<=[01-]\+\ze\%(\s\|$\|#\)/ contained

syntax region blifStatement start=/^\s*\./ end=/$/ keepend contains=blifContinuation,blifComment,blifDirective
syntax match blifDirective /^\s*\.[^[:space:]#]\+/ contained
syntax region blifModelStatement matchgroup=blifDirective start=/^\s*\.\%(model\|search\)\>/ end=/$/ contains=blifContinuation,blifComment,blifModel
syntax match blifModel /[^[:space:]#\\][^[:space:]#]*/ contained
syntax region blifPorts matchgroup=blifDirective start=/^\s*\.\%(inputs\?\|outputs\?\|clock\)\>/ end=/$/ contains=blifContinuation,blifComment,blifPort
syntax match blifPort /[^[:space:]#\\][^[:space:]#]*/ contained
syntax region blifNames matchgroup=blifDirective start=/^\s*\.\%(names\|conn\|short\|barbuf\)\>/ end=/$/ contains=blifContinuation,blifComment,blifNet,blifDefined
syntax match blifNet /[^[:space:]#\\][^[:space:]#]*/ contained
" The last name is the net that the cover defines. (No pattern within a region may look at
" the end of the line, or Vim does not end the region there.)
syntax match blifDefined /[^[:space:]#\\][^[:space:]#]*\%(\s*[^[:space:]#]\)\@!/ contained
syntax region blifLatchStatement matchgroup=blifDirective start=/^\s*\.latch\>/ end=/$/ contains=blifContinuation,blifComment,blifNet,blifLatch,blifClocking,blifReset
syntax match blifLatch /\%(^\s*\.latch\s\+[^[:space:]#\\]\+\s\+\)\@<=[^[:space:]#\\]\+/ contained
syntax match blifClocking /\s\@1<=\%(re\|fe\|ah\|al\|as\)\ze\s\+[^[:space:]#]\+/ contained
syntax match blifReset /\s\@1<=[0-3]\S\@!/ contained
syntax region blifInstance matchgroup=blifDirective start=/^\s*\.\%(subckt\|gate\|mlatch\|flop\)\>/ end=/$/ contains=blifContinuation,blifComment,blifOf,blifFormal,blifNet
syntax match blifOf /\%(^\s*\.\%(subckt\|gate\|mlatch\)\s\+\)\@<=[^[:space:]#=\\]\+\ze\%(\s\|$\)/ contained
syntax match blifFormal /[^[:space:]#=\\]\+\ze=/ contained nextgroup=blifEquals
syntax match blifEquals /=/ contained nextgroup=blifNet

syntax sync minlines=50

highlight default link blifComment Comment
highlight default link blifProperty Comment
highlight default link blifPropertyWord SpecialComment
highlight default link blifPropertyKind Keyword
highlight default link blifPropertyName Function
highlight default link blifPropertyString String
highlight default link blifDirective Statement
highlight default link blifContinuation Special
highlight default link blifModel Structure
highlight default link blifOf Structure
highlight default link blifPort Identifier
highlight default link blifDefined Function
highlight default link blifLatch Structure
highlight default link blifClocking StorageClass
highlight default link blifReset Number
highlight default link blifFormal Identifier
highlight default link blifEquals Operator
highlight default link blifCube Number
highlight default link blifStates Constant

let b:current_syntax = 'blif'
