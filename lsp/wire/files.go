package wire

var (
	// RequestDecoded asks for a binary or packed file on disk as text, or for the circuit that Yosys
	// has written for the design of a Verilog file.
	RequestDecoded = Request[FileParams, DecodedFile]{"aiglens/decoded"}

	// NotificationDecodedChanged says that the circuit of a Verilog file is another one now.
	NotificationDecodedChanged = ToClient[FileParams]{"aiglens/decodedChanged"}
)

// DecodedFile is a circuit as text.
type DecodedFile struct {
	Text string `json:"text"`
}
