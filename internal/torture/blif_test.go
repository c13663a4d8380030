package torture

import (
	"bytes"
	"math/rand/v2"
	"strings"

	"aiglens/blif"
	"aiglens/blif/bliftest"
)

// blifVersions returns a file and what edits make of it. The last of them may have a
// model without its body.
func blifVersions(r *rand.Rand) []version {
	if r.IntN(4) == 0 {
		return writtenVersions(r)
	}
	dialect := bliftest.Dialect(r.IntN(4))
	text := bliftest.Random(r.Uint64(), dialect, r.IntN(2) == 0)
	v := version{text: text, forABC: dialect != bliftest.ForYosys && dialect != bliftest.ForCells}
	if r.IntN(3) == 0 {
		v.text, v.forABC = withProperties(r, text), false
	}
	all := []version{v}
	for range r.IntN(3) {
		v.text = editText(r, v.text)
		all = append(all, v)
	}
	if cut, ok := withBlackBox(v.text); ok && r.IntN(2) == 0 {
		all = append(all, version{text: cut, abstracts: true})
	}
	return all
}

// writtenVersions returns what is written of random AIGER files. Its truth is that of
// the numbers there.
func writtenVersions(r *rand.Rand) []version {
	m := randomModel(r)
	m.Symbols = nil
	var all []version
	for range 1 + r.IntN(2) {
		c, err := m.Elaborate()
		if err != nil {
			panic(err)
		}
		if c.HasResetFunctions() { // which BLIF has not
			c, _ = c.ConstantResets()
		}
		names := blif.Names{Model: "m"}
		if len(m.Bads)+len(m.Justice) == 0 { // the outputs are the properties
			for i := range m.Outputs {
				names.BadOutputs = append(names.BadOutputs, i)
			}
		}
		var b bytes.Buffer
		if _, err := blif.Write(&b, c, names); err != nil {
			panic(err)
		}
		all = append(all, version{text: b.String(), written: m})
		m = editModel(r, m)
	}
	return all
}

// withProperties adds comments that say what is to be checked.
func withProperties(r *rand.Rand, text string) string {
	at := strings.Index(text, ".outputs")
	line, _, _ := strings.Cut(text[at:], "\n")
	outputs := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), "\\"))[1:]
	if len(outputs) == 0 { // they follow on the next line
		return text
	}
	var comments strings.Builder
	for range 1 + r.IntN(4) {
		kind := []string{"bad", "assert", "lemma", "assume", "justice"}[r.IntN(5)]
		comments.WriteString("# prop: " + kind + " " + outputs[r.IntN(len(outputs))] + "\n")
	}
	return text[:at] + comments.String() + text[at:]
}

// editText changes one character of a cover, or the initial value of a latch.
func editText(r *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	for range 20 {
		i := r.IntN(len(lines))
		line := []byte(lines[i])
		switch {
		case len(line) == 0:
			continue
		case strings.IndexByte("01-", line[0]) >= 0:
			for at, end := 0, len(bytes.TrimSpace(line)); at < end; at++ {
				if c := line[at]; (c == '0' || c == '1' || c == '-') && r.IntN(2) == 0 {
					line[at] = "01"[r.IntN(2)]
					break
				}
			}
		case bytes.HasPrefix(line, []byte(".latch")):
			if words := strings.Fields(lines[i]); len(words) > 3 && len(words[len(words)-1]) == 1 {
				line[bytes.LastIndexAny(line, "0123")] = "01"[r.IntN(2)]
			}
		default:
			continue
		}
		lines[i] = string(line)
		break
	}
	return strings.Join(lines, "\n")
}

// withBlackBox takes the body of the last model away; ok is false when that is the
// only one.
func withBlackBox(text string) (cut string, ok bool) {
	at := strings.LastIndex(text, ".model ")
	if at <= 0 || !strings.Contains(text[:at], ".model ") {
		return "", false
	}
	var kept []string
	lists := true
	for line := range strings.SplitSeq(text[at:], "\n") {
		word, _, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(word, ".inputs"), strings.HasPrefix(word, ".outputs"), strings.HasPrefix(word, ".model"):
			lists = true
		case strings.HasPrefix(word, "."):
			lists = false
		}
		if lists {
			kept = append(kept, line)
		}
	}
	return text[:at] + strings.Join(kept, "\n") + "\n.blackbox\n.end\n", true
}
