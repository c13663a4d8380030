package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aiglens/aiger"
	"aiglens/circuit/cert"
)

// export writes the witness or the certificate of an answer where the user
// asked for it.
func export(a *answer, flags *checkFlags) error {
	switch {
	case a.outcome() == cert.Refuted && flags.witnesses != "":
		w := aiger.NewWitness(a.property, a.result.Checked.Trace())
		return write(flags.witnesses, exportName(a, "wit"), w.Append(nil))
	case a.outcome() == cert.Proved && flags.certificate != "":
		// A witness circuit certifies all bads of its model, so the model that it
		// belongs to, with this property alone, is written beside it.
		model, witness, err := cert.WitnessCircuit(a.model.circuit, a.result.Checked)
		if err != nil {
			return err
		}
		if err := write(flags.certificate, exportName(a, "model.aag"), aiger.FromCircuit(model).AppendASCII(nil)); err != nil {
			return err
		}
		return write(flags.certificate, exportName(a, "certificate.aag"), aiger.FromCircuit(witness).AppendASCII(nil))
	}
	return nil
}

// exportName is counter.bad0.wit for bad:0 of dir/counter.aag.
func exportName(a *answer, suffix string) string {
	base := filepath.Base(a.in.name)
	if a.in.name == "-" {
		base = "stdin"
	}
	base = strings.TrimSuffix(base, ".gz")
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return fmt.Sprintf("%s.%s%d.%s", base, a.property.Kind, a.property.Index, suffix)
}

func write(dir, name string, data []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), data, 0o666)
}
