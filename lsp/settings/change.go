package settings

import "fmt"

// OnType says what is put right during typing.
type OnType string

const (
	OnTypeOff    OnType = "off"
	OnTypeCounts OnType = "counts" // the header
	OnTypeOrder  OnType = "order"  // the header, and the gate that was typed in its place
)

// Change says what is changed without being asked for.
type Change struct{ OnType OnType }

func defaultChange() Change { return Change{OnType: OnTypeCounts} }

// changeFromJSON reads {"format": {"onType"}}.
func changeFromJSON(raw []byte) (Change, error) {
	s := defaultChange()
	var file struct{ Format struct{ OnType *OnType } }
	err := decodeMembers(raw, &file)
	if t := file.Format.OnType; t != nil {
		switch *t {
		case OnTypeOff, OnTypeCounts, OnTypeOrder:
			s.OnType = *t
		default:
			return s, fmt.Errorf("settings: format.onType is %q, expected off, counts or order", *t)
		}
	}
	return s, err
}
