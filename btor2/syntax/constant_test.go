package syntax

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"aiglens/internal/source"
)

// TestDecimalBounds: numbers about the largest width are accepted if they fit, and one of more digits than fit is refused
// by their count.
func TestDecimalBounds(t *testing.T) {
	power := func(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }
	one, zeros := big.NewInt(1), strings.Repeat("0", 2*maxDecimals)
	refused := []string{"the number needs more than 262,144 bits, and the sort has 262,144 bits"}
	for _, c := range []struct {
		name, digits string
		want         []string
	}{
		{"largest", new(big.Int).Sub(power(MaxWidth), one).String(), nil},
		{"one more", power(MaxWidth).String(), refused},
		{"smallest", "-" + power(MaxWidth-1).String(), nil},
		{"one less", "-" + new(big.Int).Add(power(MaxWidth-1), one).String(), refused},
		{"a digit more", "1" + strings.Repeat("0", maxDecimals), refused},
		{"many digits", strings.Repeat("9", 3_000_000), refused},
		{"many digits and a sign", "-" + strings.Repeat("9", 3_000_000), refused},
		{"zeros in front", zeros + "7", nil},
		{"zeros alone", zeros, nil},
	} {
		if got := messagesOf(fmt.Sprintf("1 sort bitvec %d\n2 constd 1 %s\n", MaxWidth, c.digits)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestMeasure: a row that is only taken apart again does not have the width of its constant worked out.
func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		row         string
		read, width int64
	}{
		{"2 const 1 0101", 1, 4}, {"2 constd 1 255", 1, 8}, {"2 constd 1 -128", 1, 8}, {"2 constd 1 -129", 1, 9},
		{"2 constd 1 18446744073709551616", 1, 65}, {"2 constd 1 -36893488147419103232", 1, 66}, {"2 constd 1 0", 1, 1},
		{"2 consth 1 001F", 1, 5}, {"2 consth 1 0", 1, 1},
		{"2 const 1 012", notNumber, notNumber}, {"2 constd 1 -", notNumber, notNumber}, {"2 constd 1 --1", notNumber, notNumber},
		{"2 constd 1 1f", notNumber, notNumber}, {"2 consth 1 0g", notNumber, notNumber}, {"2 consth 1 -1", notNumber, notNumber},
	} {
		var s scan
		s.read(c.row)
		if s.args[1] != c.read {
			t.Errorf("%s: %d is read, want %d", c.row, s.args[1], c.read)
		}
		if s.measure(); s.args[1] != c.width {
			t.Errorf("%s: width %d, want %d", c.row, s.args[1], c.width)
		}
	}
}

// TestWideConstants: a row of few digits takes as much memory as these, however wide its sort is.
func TestWideConstants(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "1 sort bitvec %d\n2 sort bitvec 8\n3 ones 2\n4 constd 2 -1\n5 constd 2 -128\n6 zero 2\n7 one 2\n8 constd 2 255\n", MaxWidth)
	for i := range 200_000 {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "%d ones 1\n", 9+i)
		case 1:
			fmt.Fprintf(&b, "%d one 1\n", 9+i)
		default:
			fmt.Fprintf(&b, "%d constd 1 %d\n", 9+i, -1-i)
		}
	}
	nodes := Parse(source.NewText(b.String()), nil).Model().Nodes
	for i, want := range []int64{255, 255, 128, 0, 1, 255} {
		if n := nodes[2+i]; n.Value().Cmp(big.NewInt(want)) != 0 {
			t.Errorf("row %d is %v, want %d", n.ID, n.Value(), want)
		}
	}
	for i, n := range nodes[8:] {
		if len(n.number.Bits()) > 1 {
			t.Fatalf("row %d holds %d words", n.ID, len(n.number.Bits()))
		}
		if want := []int{MaxWidth, 1, MaxWidth, MaxWidth}[i%4]; i < 100 && n.Value().BitLen() != want {
			t.Errorf("row %d has %d bits, want %d", n.ID, n.Value().BitLen(), want)
		}
	}
}

// TestIsConstant compares with the bits.
func TestIsConstant(t *testing.T) {
	text := "1 sort bitvec 1\n2 sort bitvec 3\n3 sort bitvec 63\n4 constd 1 -1\n5 one 1\n6 ones 2\n7 constd 2 -4\n8 ones 3\n9 constd 3 4\n10 input 3\n11 zero 2\n"
	for _, n := range Parse(source.NewText(text), nil).Model().Nodes {
		for want := range int64(9) {
			if v := n.Value(); n.IsConstant(want) != (v != nil && v.Cmp(big.NewInt(want)) == 0) {
				t.Errorf("row %d: %v is %d: %v", n.ID, v, want, n.IsConstant(want))
			}
		}
	}
}
