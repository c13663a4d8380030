package cluster

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/nats-io/nkeys"
)

// A node signs what it says, so that no other can say it in its name: a wrong answer in the name of
// an honest node would have askers ask it no more. Its name among programs is
//
//	NAME.KEY
//
// the name that its user has given it and the public part of a key of NATS, which the node makes at
// its start and keeps to itself. A node that knows the name can check the signature, and there is nothing to
// hand out. A message is
//
//	JSON "\n" SIGNATURE
//
// where the signature, in base64, is that of the subject, "\n" and the JSON: what a node has said
// about one check is not what it says about another one. What a node has said about an attempt
// can be said again by others; it is true then as well. A node that takes again what is not for it is
// no longer to be asked, and a stranger could send a job once more as if it were for all: so a node says
// which job it has taken, by its hash.

// identity is a node's name and its key.
type identity struct {
	name string
	key  nkeys.KeyPair
}

// maxGiven bounds the part of the name that its user gives; with part of the key it is a name.
const maxGiven = maxName - 1 - shownKey

func newIdentity(given string) identity {
	key, err := nkeys.CreateUser()
	if err != nil {
		panic(err) // there is no randomness
	}
	public, err := key.PublicKey()
	if err != nil {
		panic(err) // it has just been made
	}
	return identity{given[:min(len(given), maxGiven)] + "." + public, key}
}

// isNode reports whether a name from elsewhere is that of a node.
func isNode(name string) bool {
	given, key, _ := strings.Cut(name, ".")
	return isName(given) && len(given) <= maxGiven && nkeys.IsValidPublicUserKey(key)
}

// shownKey is how many letters of a key people see, after the first one, which is always the same.
const shownKey = 6

// ShownName returns the name of a node for people. It has enough of the key that two nodes of one
// given name differ.
func ShownName(node string) string {
	given, key, isLong := strings.Cut(node, ".")
	if !isLong || len(key) < 2+shownKey {
		return node
	}
	return given + "-" + key[2:2+shownKey]
}

// signed encodes what the node says on a subject.
func (i identity) signed(subject string, m any) []byte {
	text := written(m)
	signature, err := i.key.Sign(signedText(subject, text))
	if err != nil {
		panic(err) // the key has its private part
	}
	return base64.RawURLEncoding.AppendEncode(append(text, '\n'), signature)
}

func signedText(subject string, text []byte) []byte {
	return append([]byte(subject+"\n"), text...)
}

// unsigned returns a message without its signature, which may be missing.
func unsigned(data []byte) (text, signature []byte) {
	text, signature, _ = bytes.Cut(data, []byte("\n"))
	return text, signature
}

// saying is a message of a node.
type saying interface {
	validate() error
	// from returns the node; "" for none.
	from() string
}

func (c *claim) from() string      { return c.Node }
func (t *notice) from() string     { return t.Node }
func (a *answer) from() string     { return a.Node }
func (s *NodeStatus) from() string { return s.Name }

// readSigned decodes what a node has said on a subject. The error is that it is no message, or that
// another one has said it.
func readSigned(subject string, data []byte, into saying) error {
	if err := read(data, into); err != nil {
		return err
	}
	_, public, _ := strings.Cut(into.from(), ".")
	key, err := nkeys.FromPublicKey(public)
	if err != nil {
		return fmt.Errorf("%w: %.120q is not a node", errMessage, into.from())
	}
	text, encoded := unsigned(data)
	signature, err := base64.RawURLEncoding.AppendDecode(nil, encoded)
	if err != nil || key.Verify(signedText(subject, text), signature) != nil {
		return fmt.Errorf("%w: %s has not said it", errMessage, into.from())
	}
	return nil
}
