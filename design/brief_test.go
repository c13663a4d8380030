package design

import "testing"

// TestBrief shortens names as Yosys writes them.
func TestBrief(t *testing.T) {
	for name, want := range map[string]string{
		"count[3]":     "count[3]",
		"a$b":          "a$b",
		"$procdff$123": "$procdff$123",
		"$auto$opt_dff.cc:219:make_patterns_logic$44":                   "$make_patterns_logic$44",
		"$auto$async2sync.cc:171:execute$41":                            "$execute$41",
		"$auto$opt_expr.cc:205:group_cell_inputs$20[5]":                 "$group_cell_inputs$20[5]",
		"$add$fifo_bug.v:11$22.$auto$alumacc.cc:485:replace_alu$223.A":  "$replace_alu$223.A",
		"u1/$add$rtl/fifo.v:9.5-9.20$16_Y[2]":                           "u1/$add$16_Y[2]",
		"u1.$add$fifo.v:9$16.$auto$alumacc.cc:485:replace_alu$216.X[0]": "u1.$replace_alu$216.X[0]",
		"$formal$hier.v:8$3_CHECK[0:0]$5":                               "$formal$3_CHECK[0:0]$5",
		"$abc$1234$new_n56":                                             "$new_n56",
		"$abc$1234$auto$opt_dff.cc:219:make_patterns_logic$44":          "$make_patterns_logic$44",
		`$flatten\u1.$add$fifo.v:11$22`:                                 "u1.$add$22",
		`$abc$77\count[0]`:                                              "count[0]",
		`$0\count[3:0]`:                                                 `$0\count[3:0]`,
		"$auto$rtlil.cc:2551:NotGate$346":                               "$NotGate$346",
		"not $auto$rtlil.cc:2551:NotGate$346":                           "not $NotGate$346",
		"$flatten\\u1.$auto$clk2fflogic.cc:310:execute$55#sampled":      "u1.$execute$55#sampled",
		"$logic_and$/tmp/x/a.b/c.v:4$7_Y":                               "$logic_and$7_Y",
		"$auto$maccmap.cc:114:fulladd$133.A[0]":                         "$fulladd$133.A[0]",
		"$memory\\mem[0]$5":                                             "$memory\\mem[0]$5",
		"$auto$proc_dlatch.cc:1:x$2/$auto$proc_dlatch.cc:1:y$3":         "$x$2/$y$3",
		"price$": "price$",
		"$":      "$",
	} {
		if got := Brief(name); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
		if again := Brief(Brief(name)); again != Brief(name) {
			t.Errorf("%s: %s becomes %s", name, Brief(name), again)
		}
	}
}
