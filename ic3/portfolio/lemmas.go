package portfolio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"aiglens/circuit"
	"aiglens/ic3"
)

// maxLevel is far beyond any frame.
const maxLevel = 1 << 30

// EncodeLemmas returns lemmas over the latches of c, the newest that fit into so many bytes,
// as varints: for each its level and its number of literals, then each as 2·latch + sign. A
// latch is named by its position, which binary AIGER keeps.
func EncodeLemmas(c *circuit.Circuit, lemmas []ic3.Lemma, most int) []byte {
	var encoded [][]byte // the newest first
	size := 0
	for _, l := range slices.Backward(lemmas) {
		b := binary.AppendUvarint(nil, uint64(l.Level))
		b = binary.AppendUvarint(b, uint64(len(l.Clause)))
		for _, lit := range l.Clause {
			b = binary.AppendUvarint(b, uint64(c.LatchIndex(lit.Var()))<<1|uint64(lit&1))
		}
		if size += len(b); size > most {
			break
		}
		encoded = append(encoded, b)
	}
	slices.Reverse(encoded)
	return bytes.Join(encoded, nil)
}

// ErrLemmas says that bytes are not lemmas over the latches of a circuit.
var ErrLemmas = errors.New("lemmas that cannot be read")

// DecodeLemmas reads what EncodeLemmas has returned. The error is ErrLemmas; then there are
// none. Whether they hold is unknown.
func DecodeLemmas(c *circuit.Circuit, data []byte) (lemmas []ic3.Lemma, err error) {
	number := func(most int) int {
		n, length := binary.Uvarint(data)
		if length <= 0 || most < 0 || n > uint64(most) {
			err = ErrLemmas
			return 0
		}
		data = data[length:]
		return int(n)
	}
	for len(data) > 0 && err == nil {
		l := ic3.Lemma{Level: number(maxLevel)}
		for range number(len(c.Latches())) {
			at := number(2*len(c.Latches()) - 1)
			if err != nil {
				break
			}
			l.Clause = append(l.Clause, c.Latches()[at>>1].Lit.NotIf(at&1 == 1))
		}
		lemmas = append(lemmas, l)
	}
	if err != nil {
		return nil, err
	}
	return lemmas, nil
}
