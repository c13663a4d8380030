// Package settings reads what the user can change while the server runs.
//
// It knows the names, the defaults and the bounds of the settings, as package.json of
// the VS Code extension declares them, and nothing of what they do. A setting that is
// wrong is reported, and leaves the others valid.
package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"aiglens/design"
	"aiglens/lsp/offer"
)

// Settings are all of them. Absent members keep their default, not their previous
// value. Settings can be compared.
type Settings struct {
	Change
	Check
	Proved Show // proved properties among the diagnostics
	Facts  bool // what proofs say of latches, too
	Trust  Trust
	Reading
	Verilog     Verilog
	Cluster     offer.Address // that checks as well; nowhere in a folder that is not trusted
	MaxFileSize int64         // bytes that are read of a file; 0 goes by the machine's memory
	// Retired is what there is to say of settings that no longer mean anything, or "".
	Retired string
}

// Verilog says how Verilog files are read.
type Verilog struct {
	CheckOnSave bool
	Yosys       string // the program; "" is the one on the PATH
}

// Show says whether something is shown; auto leaves it to what the client can
// draw otherwise.
type Show string

const (
	ShowAuto Show = "auto"
	ShowOn   Show = "on"
	ShowOff  Show = "off"
)

// Trust says whether the user trusts the folders that are open. In one that is not
// trusted nothing is checked and no file is read because another one names it.
type Trust uint8

// What is known of it. A client that has said something means it until it says
// something else; one that never does has no folders that are not trusted.
const (
	Unsaid Trust = iota
	Trusted
	Untrusted
)

// IsTrusted reports whether nothing speaks against it.
func (s Settings) IsTrusted() bool { return s.Trust != Untrusted }

// Default returns the settings of a user that has set nothing.
func Default() Settings {
	return Settings{Change: defaultChange(), Check: defaultCheck(), Proved: ShowAuto, Facts: true, Reading: defaultReading()}
}

// FromJSON reads {"check", "diagnostics": {"proved", "facts"}, …}, also below a
// member "aiglens". What has a wrong type or value is reported and left at its
// default.
//
// The settings of each of the formats are a member with the name of its language.
func FromJSON(raw []byte, formats design.Formats) (Settings, error) {
	s := Default()
	var outer struct{ Aiglens json.RawMessage }
	if json.Unmarshal(raw, &outer) == nil && len(outer.Aiglens) > 0 {
		raw = outer.Aiglens
	}
	var file struct {
		Check       checkJSON
		Diagnostics struct {
			Proved *Show
			Facts  *bool
		}
		Trusted *bool
		Files   struct{ MaxSize *int64 }
		AIGER   struct{ AllowResetFunctions *json.RawMessage }
		Cluster clusterJSON
		Verilog struct {
			CheckOnSave *bool
			Yosys       *string
		}
	}
	fileErr := decodeMembers(raw, &file)
	reading, err := readingFromJSON(raw, formats)
	s.Reading = reading
	changing, changingErr := changeFromJSON(raw)
	s.Change = changing
	checking, checkingErr := file.Check.settings()
	s.Check = checking
	cluster, clusterErr := file.Cluster.address()
	s.Cluster = cluster
	err = errors.Join(fileErr, err, changingErr, checkingErr, clusterErr)
	if t := file.Trusted; t != nil {
		s.Trust = Untrusted
		if *t {
			s.Trust = Trusted
		}
	}
	if file.AIGER.AllowResetFunctions != nil {
		s.Retired = "aiger.allowResetFunctions no longer has an effect: reset functions are always read"
	}
	if m := file.Files.MaxSize; m != nil {
		if *m >= 0 && *m < 1e9 {
			s.MaxFileSize = *m * megabyte
		} else {
			err = errors.Join(err, fmt.Errorf("settings: files.maxSize is %d, expected megabytes", *m))
		}
	}
	if on := file.Verilog.CheckOnSave; on != nil {
		s.Verilog.CheckOnSave = *on
	}
	if program := file.Verilog.Yosys; program != nil {
		s.Verilog.Yosys = strings.TrimSpace(*program)
	}
	if f := file.Diagnostics.Facts; f != nil {
		s.Facts = *f
	}
	if p := file.Diagnostics.Proved; p != nil {
		switch *p {
		case ShowAuto, ShowOn, ShowOff:
			s.Proved = *p
		default:
			err = errors.Join(err, fmt.Errorf("settings: diagnostics.proved is %q, expected auto, on or off", *p))
		}
	}
	return s, err
}
