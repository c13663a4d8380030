package formats_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/blifdesign"
	"aiglens/design/formats"
	"aiglens/internal/files"
)

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestRead takes files in as they are on disk.
func TestRead(t *testing.T) {
	const ascii, binary = "aag 2 1 0 1 1\n2\n4\n4 2 2\n", "aig 2 1 0 1 1\n4\n\x02\x00"
	check := func(name, data, want string, f *design.Format, wantDecoded bool) {
		t.Helper()
		text, found, decoded, err := formats.All().Read(name, []byte(data), 1<<20)
		if err != nil || text != want || found != f || decoded != wantDecoded {
			t.Errorf("%s: %q, %v, decoded %v, %v", name, text, found, decoded, err)
		}
	}
	check("/w/a.aag", ascii, ascii, aigerdesign.Format, false)
	check("/w/a.aig", binary, ascii, aigerdesign.Format, true)
	check("/w/a.aig.gz", packed(t, binary), ascii, aigerdesign.Format, true)
	check("/w/a.AAG.GZ", packed(t, ascii), ascii, aigerdesign.Format, true)
	check("/w/circuit.gz", packed(t, ascii), ascii, aigerdesign.Format, true)
	check("/w/a.eblif", "# by hand\n", "# by hand\n", blifdesign.Format, false)
	check("/w/a.txt", "hello\n", "hello\n", nil, false)

	if _, _, _, err := formats.All().Read("/w/a.aig.gz", []byte(packed(t, binary)[:15]), 1<<20); err == nil {
		t.Error("a file that is packed in part is read")
	}
	var large *files.TooLargeError
	if _, _, _, err := formats.All().Read("/w/a.aag.gz", []byte(packed(t, ascii)), int64(len(ascii))-1); !errors.As(err, &large) {
		t.Errorf("of a file that unpacks to more than the limit: %v", err)
	}
	if text, err := formats.All().Decode("/w/piped", []byte(binary), 1<<20); err != nil || text != ascii {
		t.Errorf("of a binary file without extension: %q, %v", text, err)
	}
	if _, err := (design.Formats{blifdesign.Format}).Decode("/w/a.gz", nil, 1<<20); err == nil || !strings.Contains(err.Error(), "a.gz") {
		t.Errorf("without a format that decodes: %v", err)
	}
}

// TestOptions: options are equal when the values of all formats are, in whichever
// order these were given, and a format sees its own.
func TestOptions(t *testing.T) {
	a, b := 1, blifdesign.Option{OneStep: true} // AIGER has no options of its own
	first := design.Options{}.With(aigerdesign.Format, a).With(blifdesign.Format, b)
	second := design.Options{}.With(blifdesign.Format, blifdesign.Option{Bad: "x"}).With(aigerdesign.Format, a).With(blifdesign.Format, b)
	if first != second {
		t.Errorf("%v differs from %v", first, second)
	}
	if first == first.With(aigerdesign.Format, 2) {
		t.Error("another option of AIGER makes no difference")
	}
	if first.Of(aigerdesign.Format) != a || first.Of(blifdesign.Format) != b || (design.Options{}).Of(blifdesign.Format) != nil {
		t.Errorf("options %v", first)
	}
}
