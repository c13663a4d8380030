package cluster

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"aiglens/ic3/verify"
)

// TestPortInUse: a server whose port another program has says so, at once.
func TestPortInUse(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	s, err := Listen(ListenOptions{Address: other.Addr().String(), Dir: t.TempDir(), Insecure: true})
	if err == nil {
		s.Close()
		t.Fatal("it listens where another program does")
	}
	if !strings.Contains(err.Error(), "address already in use") {
		t.Error(err)
	}
}

// standing starts a server that is not ours, by the text of its configuration.
func standing(t *testing.T, config string) (url string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server.conf")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o.Host, o.Port, o.JetStream, o.StoreDir, o.NoSigs, o.NoLog = "127.0.0.1", server.RANDOM_PORT, true, t.TempDir(), true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(startTime) {
		t.Fatal("the server does not start")
	}
	return s.ClientURL()
}

// as returns the URL for a user whose password is its name.
func as(user, url string) string { return strings.Replace(url, "//", "//"+user+":"+user+"@", 1) }

// TestForbidden: what a server does not let its user do is said in one line, at once: a connection
// that cannot be set up fails, and one that can goes on.
func TestForbidden(t *testing.T) {
	url := standing(t, `accounts: { A: { jetstream: enabled, users: [
		{ user: nothing, password: nothing, permissions: { publish: "other.>", subscribe: ["_INBOX.>"] } }
		{ user: mute, password: mute, permissions: { publish: ">", subscribe: "other.>" } }
		{ user: deaf, password: deaf, permissions: { subscribe: { deny: ["aiglens.told.>"] } } }
	] } }`)
	for user, want := range map[string]string{
		"nothing": `the cluster cannot be used: the server does not let this user publish to $JS.API.STREAM.`,
		"mute":    `the cluster cannot be used: the server does not let this user subscribe to _INBOX.>`,
	} {
		c, err := Connect(t.Context(), Options{URL: as(user, url)})
		if err == nil {
			c.Close()
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", user, err, want)
		}
	}
	p := &place{T: t}
	c, err := Connect(t.Context(), Options{URL: as("deaf", url), Warn: p.warn, times: quick})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	a := NewAsker(c)
	for i := range 2 {
		go verify.Run(t.Context(), a.job(still(i)), nil)
	}
	eventually(t, "it is said", func() bool { return p.warnings() != "" })
	eventually(t, "both checks wait", func() bool {
		info, err := c.kept().jobs.Info(t.Context())
		return err == nil && info.State.Msgs == 2
	})
	const want = "the server does not let this user subscribe to aiglens.told.* (docs/cluster.md lists the permissions)"
	if got := p.warnings(); strings.Count(got, want) != 1 {
		t.Error(got)
	}
}

// TestLateRefusal: what the server forbids while the cluster is set up ends that, and what it forbids later
// is said, whenever that is.
func TestLateRefusal(t *testing.T) {
	for _, isLate := range []bool{false, true} {
		p := newPlace(t)
		c := p.connect("me")
		var within context.Context
		within, c.trouble.fail = context.WithCancelCause(t.Context())
		refuse := func() { c.isForbidden(fmt.Errorf("%w: Publish to %q", nats.ErrPermissionViolation, "a.b")) }
		if !isLate {
			refuse()
		}
		err := c.trouble.endSetUp(within)
		if isLate {
			refuse()
		}
		if (err == nil) != isLate || (p.warnings() != "") != isLate {
			t.Errorf("late: %t: %v, %q", isLate, err, p.warnings())
		}
	}
}

// TestServerGone: an asker whose server ends says so at once, and that the connection is restored.
func TestServerGone(t *testing.T) {
	s, err := Listen(ListenOptions{Address: "127.0.0.1:0", Dir: t.TempDir(), Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := &place{T: t}
	c, err := Connect(t.Context(), Options{URL: s.ns.ClientURL(), Warn: p.warn, times: quick})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go verify.Run(t.Context(), NewAsker(c).job(still(1)), nil)
	s.ns.Shutdown()
	s.ns.WaitForShutdown()
	eventually(t, "it is said", func() bool { return strings.HasPrefix(p.warnings(), "the connection to the cluster is lost") })
	if !s.restart() {
		t.Fatal("the server does not restart")
	}
	eventually(t, "it is said", func() bool { return strings.Contains(p.warnings(), "is restored") })
}

// TestServerSilent: a server that takes a connection and does not answer is named before the time
// for the connection is over.
func TestServerSilent(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	p := &place{T: t}
	impatient := quick
	impatient.slow = 1
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		_, err := Connect(ctx, Options{URL: "nats://" + silent.Addr().String(), Warn: p.warn, times: impatient})
		done <- err
	}()
	eventually(t, "it is said", func() bool { return strings.Contains(p.warnings(), "does not answer yet") })
	cancel()
	if err := <-done; err == nil {
		t.Error("there is a connection to a server that does not answer")
	}
}

// roomOfAccount is what an account of a server that is not ours needs: what all streams may hold.
const roomOfAccount = maxBlobBytes + maxJobBytes + 4*maxKeyBytes

// TestRoomOfAccount: with so much room a cluster can be set up, also a second time, and with less it
// says what is missing. A second prefix needs as much again.
func TestRoomOfAccount(t *testing.T) {
	if roomOfAccount != 5<<30 {
		t.Errorf("docs/cluster.md says 5 GiB, the streams need %d MiB", roomOfAccount>>20)
	}
	url := standing(t, fmt.Sprintf(`
		jetstream: { max_file_store: 20GB }
		accounts: {
			A: { jetstream: { max_file: %d }, users: [ { user: enough, password: enough } ] }
			B: { jetstream: { max_file: %d }, users: [ { user: less, password: less } ] }
		}`, roomOfAccount, roomOfAccount-1))
	for _, c := range []struct{ user, prefix, want string }{
		{"enough", "a", ""}, {"enough", "a", ""}, {"enough", "b", "insufficient storage resources available"},
		{"less", "a", "insufficient storage resources available"},
	} {
		conn, err := Connect(t.Context(), Options{URL: as(c.user, url), Prefix: c.prefix})
		if err == nil {
			conn.Close()
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", c.user, err, c.want)
		}
	}
}

// TestPermissions: with the permissions of docs/cluster.md, and no others, nodes work and exchange
// lemmas, askers ask, cancel and look up verdicts, and the status is shown.
func TestPermissions(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "cluster.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, config, _ := strings.Cut(string(page), "\n```\naccounts: ")
	config, _, ok := strings.Cut(config, "```\n")
	if !ok {
		t.Fatal("docs/cluster.md has no account")
	}
	url := strings.Replace(standing(t, "jetstream: { max_file_store: 20GB }\naccounts: "+config), "//", "//me:secret@", 1)
	p := &place{T: t}
	connect := func(name string) *Conn {
		c, err := Connect(t.Context(), Options{URL: url, Name: name, Warn: p.warn, times: remembered})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	for _, name := range names(2) {
		p.run(NewNode(connect(name), 1, real))
	}
	a := NewAsker(connect("asker"))
	job := a.job(counter(4, 3, 9))
	job.Cache = Verdicts{Asker: a}
	check(t, verify.Run(t.Context(), job, nil), "refuted")
	if r := verify.Run(t.Context(), job, nil); !r.Cached {
		t.Errorf("it is not found again: %s", r)
	}
	check(t, verify.Run(t.Context(), a.spread(counter(4, 15, 9), 2), nil), "proved")

	if s, err := a.Status(t.Context()); err != nil || len(s.Nodes) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	none := NewAsker(connect("cancelled"))
	none.needs = Protocol + 1 // no node takes it
	cancelWaiting(t, none, none.job(still(1)))
	if p.warnings() != "" {
		t.Error(p.warnings())
	}
}
