package formula

import (
	"fmt"

	"aiglens/design"
)

// LitName is what a literal is called in a sentence: by the name of its signal, else by its number.
func LitName(d *design.Design, l design.Lit) string {
	name := d.Name(l.Signal())
	switch {
	case name == "":
		return fmt.Sprint(l)
	case l.IsNegated():
		return "¬" + name
	}
	return name
}

// SignalName is what a signal is called in a sentence, by its name, else by its number.
func SignalName(d *design.Design, l design.Lit) string {
	if name := d.Name(l.Signal()); name != "" {
		return name
	}
	return fmt.Sprint(l.Signal().Lit())
}
