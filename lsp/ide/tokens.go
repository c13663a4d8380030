package ide

import (
	"context"
	"sort"

	"aiglens/design"
	"aiglens/internal/source"
)

// TokenType is what a piece of text stands for.
type TokenType uint8

// The types. A literal in the row of a property is the property, whatever kind
// of signal it is, unless nothing defines it.
const (
	TokenInput TokenType = iota
	TokenLatch
	TokenAnd
	TokenConstant
	TokenProperty
	TokenHeader // a number that announces what follows
	TokenModel
	TokenUndefined // a number that stands for nothing
	TokenPredicate
	TokenFunction
	TokenVariable
)

// TokenTypes are the names of the types, by number.
var TokenTypes = []string{"input", "latch", "and", "constant", "property", "header", "model", "undefined", "predicate", "function", "variable"}

// TokenModifier is a set of properties of a token.
type TokenModifier uint8

// The modifiers.
const (
	TokenDeclaration TokenModifier = 1 << iota
	TokenNegated
)

// TokenModifiers are the names of the modifiers, by bit.
var TokenModifiers = []string{"declaration", "negated"}

// Token is a classified piece of a line.
type Token struct {
	Span      source.Span
	Type      TokenType
	Modifiers TokenModifier
}

// largeForTokens is the size in bytes above which only parts of a file are
// classified.
const largeForTokens = 100_000

// HasAllTokens reports whether a file is small enough to be classified at once.
func HasAllTokens(d *design.Design) bool { return d.Text.Len() <= largeForTokens }

// SomeTokens is the part of a large file that is classified for a client which
// cannot ask for the part that it shows.
func SomeTokens(d *design.Design) source.Span {
	return source.SpanFromTo(0, min(d.Text.Len(), largeForTokens))
}

// Tokens classifies the lines that span touches. A name that stands for nothing is none
// of the types. The error is that of ctx.
func Tokens(ctx context.Context, d *design.Design, span source.Span) ([]Token, error) {
	var all []Token
	for _, f := range d.Header() {
		if touches(f.Span, span) {
			all = append(all, Token{f.Span, TokenHeader, 0})
		}
	}
	for o := range d.OccurrencesIn(span) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if token, ok := tokenFromOccurrence(d, o); ok {
			all = append(all, token)
		}
	}
	all = symbolTokens(ctx, d, span, all)
	sort.SliceStable(all, func(i, j int) bool { return all[i].Span.Start < all[j].Span.Start })
	return all, ctx.Err()
}

func tokenFromOccurrence(d *design.Design, o design.Occurrence) (Token, bool) {
	token := Token{Span: o.Span}
	if o.Role == design.RoleDefinition {
		token.Modifiers |= TokenDeclaration
	}
	if o.Lit.IsNegated() && o.Lit.Signal() != 0 {
		token.Modifiers |= TokenNegated
	}
	t, ok := signalTokenType(d, o.Lit.Signal())
	switch {
	case !ok && d.HasNumbers():
		t, ok = TokenUndefined, true
	case o.Use == design.AsProperty:
		t, ok = TokenProperty, true
	}
	token.Type = t
	return token, ok
}

func signalTokenType(d *design.Design, s design.Signal) (TokenType, bool) {
	var buf [4]design.Lit
	kind, _, _ := d.Drivers(s, buf[:0])
	return tokenTypeOf(kind)
}

func tokenTypeOf(kind design.SignalKind) (t TokenType, ok bool) {
	switch kind {
	case design.Constant:
		return TokenConstant, true
	case design.Input:
		return TokenInput, true
	case design.Latch:
		return TokenLatch, true
	case design.Gate, design.Instance:
		return TokenAnd, true
	case design.Model:
		return TokenModel, true
	case design.Predicate:
		return TokenPredicate, true
	case design.Function:
		return TokenFunction, true
	case design.Variable:
		return TokenVariable, true
	}
	return 0, false
}

// symbolTokens appends the names of the naming lines that span touches, each
// classified as what it names. It stops when ctx ends.
func symbolTokens(ctx context.Context, d *design.Design, span source.Span, all []Token) []Token {
	last := d.Text.LineAt(max(span.Start, span.End()))
	for line := d.Text.LineAt(span.Start); line <= last && ctx.Err() == nil; line++ {
		symbol, ok := d.SymbolAt(d.Text.LineStart(line))
		if !ok || symbol.Row.Section == "" || symbol.NameSpan.Length == 0 {
			continue
		}
		t, isSignal := tokenTypeOf(symbol.Row.Kind)
		if !isSignal {
			t = TokenProperty
		}
		all = append(all, Token{symbol.NameSpan, t, 0})
	}
	return all
}
