// Package wire declares the messages that the server and its clients exchange beyond
// the language server protocol: what they are called, what they carry, and what is
// answered. The server is compiled against these types; those of the extension,
// vscode-extension/src/protocol.ts, are generated from them by wiregen, which compares
// docs/protocol.md with them as well.
//
// So a declaration is also text for readers in other languages: its comment is copied.
// A member is optional on the wire where its tag says omitempty, or omitzero, which numbers
// and bools need; it may be null where it is a pointer without either. A string type with
// constants stands for these words.
//
// It holds no logic: how a message is answered is the business of package lsp, and what
// the words mean that of the packages below.
package wire

//go:generate go run ./wiregen ../..

// Command is one of the commands of workspace/executeCommand. It takes one argument, an
// object.
type Command[Params, Answer any] struct{ Name string }

// Request is a request to the server.
type Request[Params, Answer any] struct{ Name string }

// ToServer is a notification to the server.
type ToServer[Params any] struct{ Name string }

// ToClient is a notification from the server.
type ToClient[Params any] struct{ Name string }

// None is the answer of what is only done: null.
type None = *struct{}

// ExperimentalCapabilities are the member experimental of the capabilities in
// initialize, as far as they are read.
type ExperimentalCapabilities struct {
	Aiglens ExtendedClient `json:"aiglens"`
}

// ExtendedClient is what a client can do beyond the protocol.
type ExtendedClient struct {
	Status   bool            `json:"status"`             // it wants to be sent aiglens/status, aiglens/cluster and aiglens/step
	Decoded  bool            `json:"decoded,omitzero"`   // it shows what aiglens/decoded answers as documents of aiglens-aig, and wants to be sent aiglens/decodedChanged
	Commands []ClientCommand `json:"commands,omitempty"` // that it runs by itself
}
