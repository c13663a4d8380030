package wire

// RequestDecoded asks for a binary or packed file on disk as text.
var RequestDecoded = Request[FileParams, DecodedFile]{"aiglens/decoded"}

// DecodedFile is a circuit as text.
type DecodedFile struct {
	Text string `json:"text"`
}
