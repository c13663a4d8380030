// Package cluster runs checks on other machines, over NATS with JetStream: an asker's
// side that package verify sees as an engine, a node's side that works for askers, and a
// server within this process, which listens when it is asked to and not before.
//
// No node is trusted. It answers with a claim and its certificate, which the asker checks
// before it counts, and verify.Run once more against the whole circuit. The worst that a
// node, a server or a stranger with the token can do is to cost time. A node signs what it says, so
// that what others say in its name does not count against it (identity.go).
//
// # What is where
//
//	stream    PREFIX_jobs      a message for each check that waits or is done, on a subject for
//	                           each priority and kind of question; work queue
//	bucket    PREFIX_claims    by key of a check: which attempt it is, and whose
//	bucket    PREFIX_answers   by key: the claim of a node, with the hash of its certificate
//	stream    PREFIX_blobs     circuits (binary AIGER) and certificates, by their SHA-256
//	bucket    PREFIX_verdicts  by fingerprint of a cone: what an asker has checked
//	bucket    PREFIX_nodes     by name: what a node says of itself, forgotten soon
//	subjects  PREFIX.told.KEY  what a node says about a check: begun, progress, its end
//	          PREFIX.want.KEY  askers that want it answer here; without an answer the node stops
//	          PREFIX.cancel.KEY  ends the check for all of its askers
//	          PREFIX.asks      askers say what they want
//	          PREFIX.lemmas.…  by hash of a circuit: what runs of IC3 about it tell each other
//
// The key of a check is a hash of the circuit, the question, the engine and the limits:
// askers of the same share one run.
//
// The asker owns the list of what it wants. The streams and the buckets may be
// lost, repeated or stale at any time: an asker that has neither an answer nor a sign of life
// makes another attempt, and says so in the claim, where one of several askers wins. A node
// takes an attempt that no other has taken, and works on it while an asker wants it. So each
// attempt is made at most once, and how often the server delivers a message decides nothing.
// What an asker does about a check is decided in package asking, which knows no network.
//
// It knows no engine, no text and no editor, and engines know nothing about it.
package cluster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"aiglens/ic3/verify"
)

// Protocol is the version of the messages. A job names the lowest one that it needs.
const Protocol = 2

// jobProtocol is the version that a job needs. It is that in which what a node must know to
// do it was changed last; what an older node may do without, such as lemmas, does not count.
const jobProtocol = 2

// oldestProtocol is the lowest version of a job whose asker understands what a node says: before it
// nodes signed nothing.
const oldestProtocol = 2

// DefaultPrefix begins the names of subjects, streams and buckets.
const DefaultPrefix = "aiglens"

// Options say where the cluster is, and which program connects.
type Options struct {
	// Server is one in this process, without a socket; nil for the one at URL.
	Server *Server
	URL    string // nats://HOST:PORT or tls://…, several separated by commas
	// Files: of NATS credentials, of a token, of certificates that are trusted besides
	// those of the system. "" for none.
	Credentials, Token, CA string
	Prefix                 string // "" is DefaultPrefix
	Name                   string // of this node or asker; cleaned, "" for one made up
	Version                string // of the program, for people
	Who                    string // the user and the machine, for people; may be ""
	// Warn is told what a user should know, from any goroutine; may be nil.
	Warn func(text string)
	// Silence is how long an asker hears nothing of a check before it looks for what became of
	// it; 0 is 10 s.
	Silence time.Duration

	times times
	// lose says, in tests, whether the next lemmas get lost.
	lose   func() bool
	dialer nats.CustomDialer // nil for that of the library
	// changed is called when the connection is lost, made again or closed; may be nil.
	changed func()
}

func (o *Options) loses() bool { return o.lose != nil && o.lose() }

// times are those that tests shorten.
type times struct {
	beat    time.Duration // between two signs of life of a check
	silence time.Duration // after which an asker looks for what became of a check
	wanted  time.Duration // between two looks whether an asker wants a check
	ackWait time.Duration // after which the server gives a job without acknowledgement again
	share   time.Duration // between two messages with lemmas
	slow    time.Duration // after which the user learns that the server does not answer; never: 0
}

func (t times) completed() times {
	if t == (times{}) {
		t = times{beat: time.Second, silence: 10 * time.Second, wanted: 300 * time.Millisecond, ackWait: 30 * time.Second, slow: 1500 * time.Millisecond}
	}
	t.share = cmp.Or(t.share, 20*time.Millisecond)
	return t
}

// Conn is a connection to a cluster. Its methods may be called from any goroutine.
type Conn struct {
	opts   Options
	nc     *nats.Conn
	js     jetstream.JetStream
	prefix string // of subjects
	bucket string // of streams and buckets

	// reconnected is when the connection was last restored; zero before.
	reconnected atomic.Pointer[time.Time]
	// back holds what is closed when the connection is restored the next time.
	back atomic.Pointer[chan struct{}]

	parts   parts
	trouble trouble
}

// isBack notes that the connection has been restored.
func (c *Conn) isBack() {
	now := time.Now()
	c.reconnected.Store(&now)
	close(*c.back.Swap(new(make(chan struct{}))))
	if c.opts.changed != nil {
		c.opts.changed()
	} else {
		c.opts.Warn("the connection to the cluster is restored")
	}
}

// untilBack returns a context for a request, which ends with ctx, after a time, and when the
// connection is restored: a server that has ended meanwhile knows nothing about the request.
func (c *Conn) untilBack(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	within, stop := context.WithTimeout(ctx, most)
	back := *c.back.Load()
	go func() {
		select {
		case <-within.Done():
		case <-back:
			stop()
		}
	}()
	return within, stop
}

// sinceConnected returns for how long the connection has been there after it was lost; a long
// time when it never was.
func (c *Conn) sinceConnected() time.Duration {
	at := c.reconnected.Load()
	if at == nil {
		return math.MaxInt64
	}
	return time.Since(*at)
}

// Connect connects to a cluster and makes what is missing there.
func Connect(ctx context.Context, opts Options) (*Conn, error) {
	opts.times = opts.times.completed()
	opts.times.silence = cmp.Or(opts.Silence, opts.times.silence)
	if opts.Prefix == "" {
		opts.Prefix = DefaultPrefix
	}
	if !isPrefix(opts.Prefix) {
		return nil, fmt.Errorf("the prefix %.40q: expected words of small letters, digits, - and _, separated by dots", opts.Prefix)
	}
	if opts.Name = CleanName(opts.Name); opts.Name == "" {
		opts.Name = "unnamed"
	}
	if opts.Warn == nil {
		opts.Warn = func(string) {}
	}
	options, err := opts.natsOptions()
	if err != nil {
		return nil, err
	}
	c := &Conn{opts: opts, prefix: opts.Prefix, bucket: strings.ReplaceAll(opts.Prefix, ".", "-")}
	c.back.Store(new(make(chan struct{})))
	defer c.afterLong(func() { c.warn("the server of the cluster does not answer yet: waiting") })()
	within, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	c.trouble.fail = fail
	if c.nc, err = connect(within, opts.URL, append(options, c.handlers()...)); err != nil {
		return nil, fmt.Errorf("no connection to the cluster: %w", explained(err))
	}
	if c.js, err = jetstream.New(c.nc); err == nil {
		err = c.setUp(within)
	}
	if denied := c.trouble.endSetUp(within); denied != nil {
		err = denied
	}
	if err != nil {
		c.nc.Close()
		return nil, fmt.Errorf("the cluster cannot be used: %w", explained(err))
	}
	return c, nil
}

// connectTries is how often a connection is tried whose server hangs up at once, as one does that is about to start or to stop
// what it stores.
const connectTries = 3

// connect makes a connection. It does not wait for the server after the end of ctx.
func connect(ctx context.Context, url string, options []nats.Option) (*nats.Conn, error) {
	type made struct {
		nc  *nats.Conn
		err error
	}
	done := make(chan made, 1)
	go func() {
		nc, err := nats.Connect(url, options...)
		for try := 1; try < connectTries && errors.Is(err, io.EOF) && ctx.Err() == nil; try++ {
			time.Sleep(reconnectWait)
			nc, err = nats.Connect(url, options...)
		}
		done <- made{nc, err}
	}()
	select {
	case m := <-done:
		return m.nc, m.err
	case <-ctx.Done():
		go func() {
			if m := <-done; m.nc != nil {
				m.nc.Close()
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// Close ends the connection.
func (c *Conn) Close() { c.nc.Close() }

// reconnectWait is the time between two tries.
const reconnectWait = 200 * time.Millisecond

// natsOptions returns those of the connection.
func (o *Options) natsOptions() ([]nats.Option, error) {
	options := []nats.Option{
		nats.Name("aiglens " + o.Name), nats.Timeout(5 * time.Second), nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait), nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
	}
	if o.dialer != nil {
		options = append(options, nats.SetCustomDialer(o.dialer))
	}
	if o.Server != nil {
		return append(options, nats.InProcessServer(o.Server), nats.Token(o.Server.token)), nil
	}
	if o.Credentials != "" {
		options = append(options, nats.UserCredentials(o.Credentials))
	}
	if o.Token != "" {
		token, err := os.ReadFile(o.Token)
		if err != nil {
			return nil, fmt.Errorf("the token of the cluster: %w", err)
		}
		options = append(options, nats.Token(strings.TrimSpace(string(token))))
	}
	if o.CA != "" {
		options = append(options, nats.RootCAs(o.CA))
	}
	return options, nil
}

// explained puts errors of NATS that a user can do something about into words.
func explained(err error) error {
	switch {
	case errors.Is(err, nats.ErrPermissionViolation):
		return errors.New(forbidden(err))
	case errors.Is(err, nats.ErrAuthorization):
		return errors.New("it refuses the token or the credentials")
	case errors.Is(err, nats.ErrNoServers):
		return errors.New("no server answers there")
	case errors.Is(err, nats.ErrSecureConnRequired):
		return errors.New("it requires TLS: give its certificate, or an address that begins with tls://")
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, nats.ErrJetStreamNotEnabled), errors.Is(err, nats.ErrNoResponders):
		return errors.New("the server has no JetStream")
	}
	if why, ok := errors.AsType[*jetstream.APIError](err); ok {
		return errors.New(verify.OneLine(why.Description, verify.MaxReason))
	}
	return err
}

// subject returns that of a purpose about the check with a key.
func (c *Conn) subject(purpose, key string) string { return c.prefix + "." + purpose + "." + key }

// maxName bounds the name of a node, in bytes.
const maxName = 48

// CleanName returns a name that fits into subjects and keys, and onto terminals: what does
// not is left out.
func CleanName(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_':
			return r
		case r == '.' || r == ' ':
			return '-'
		}
		return -1
	}, name)
	return clean[:min(len(clean), maxName)]
}

// isName reports whether a name from elsewhere is one that CleanName leaves as it is.
func isName(name string) bool { return name != "" && CleanName(name) == name }

// isPrefix reports whether a text can begin the names of a cluster.
func isPrefix(text string) bool {
	if len(text) > 64 {
		return false
	}
	for word := range strings.SplitSeq(text, ".") {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

// isHash reports whether a text from elsewhere is a SHA-256 as hashOf writes it.
func isHash(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == sha256.Size && strings.ToLower(text) == text
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
