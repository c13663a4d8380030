package blif

// pragmaKind is the word behind "# prop:".
type pragmaKind uint8

const (
	pragmaNone pragmaKind = iota
	pragmaBad
	pragmaAssert
	pragmaAssume
	pragmaJustice
	pragmaFair
	pragmaLemma
)

var pragmaKinds = map[string]pragmaKind{
	"bad": pragmaBad, "assert": pragmaAssert, "assume": pragmaAssume,
	"justice": pragmaJustice, "fair": pragmaFair, "lemma": pragmaLemma,
}
