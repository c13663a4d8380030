package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// natsServer returns the server of the NATS project, built from the module that is linked here.
func natsServer(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("a NATS server is built with go, which is not there")
	}
	path := filepath.Join(t.TempDir(), "nats-server")
	if out, err := exec.Command("go", "build", "-o", path, "github.com/nats-io/nats-server/v2").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// TestStandingServer: nodes and askers use a NATS server that was there before, with TLS, an
// account that is not theirs alone, a user with a password, and a prefix.
func TestStandingServer(t *testing.T) {
	program, temp, keys := natsServer(t), t.TempDir(), filepath.Join(t.TempDir(), "keys")
	// A certificate as good as any other one.
	maker := launch(t, temp, "node", "--listen", "127.0.0.1:0", "--slots", "0", "--dir", keys)
	maker.await(t, "others ask")
	_ = maker.Process.Kill()

	const byPassword = `accounts: {
  team: { jetstream: enabled, users: [ { user: me, password: secret } ] }
  other: { jetstream: enabled, users: [ { user: them, password: other } ] }
}
`
	for name, c := range map[string]struct {
		config, user string
		flags        []string
		wrongUser    string
	}{
		"password": {byPassword, "me:secret@", nil, "me:wrong@"},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			port := listener.Addr().(*net.TCPAddr).Port
			listener.Close()
			dir := t.TempDir()
			config := fmt.Sprintf("listen: 127.0.0.1:%d\njetstream: { store_dir: %q, max_file_store: 20GB }\ntls: { cert_file: %q, key_file: %q }\n%s",
				port, dir, filepath.Join(keys, "certificate.pem"), filepath.Join(keys, "key.pem"), c.config)
			path := filepath.Join(dir, "server.conf")
			if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
				t.Fatal(err)
			}
			log, err := os.Create(filepath.Join(dir, "log"))
			if err != nil {
				t.Fatal(err)
			}
			defer log.Close()
			server := exec.Command(program, "-c", path)
			server.Stdout, server.Stderr = log, log
			if err := server.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				_ = server.Process.Kill()
				_ = server.Wait()
				if t.Failed() {
					text, _ := os.ReadFile(log.Name())
					t.Logf("%s", text)
				}
			}()
			until(t, "the server listens", func() bool {
				conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
				if err == nil {
					conn.Close()
				}
				return err == nil
			})
			at := func(user string) string { return fmt.Sprintf("tls://%s127.0.0.1:%d", user, port) }
			flags := append([]string{"--ca", filepath.Join(keys, "certificate.pem"), "--prefix", "team.circuits"}, c.flags...)
			node := launch(t, temp, append([]string{"node", "--join", at(c.user), "--slots", "1"}, flags...)...)
			node.await(t, "works")
			bad := filepath.Join(dir, "a.aag")
			if err := os.WriteFile(bad, []byte(refuted), 0o600); err != nil {
				t.Fatal(err)
			}
			asker := launch(t, temp, append(append([]string{"check", "--on", at(c.user)}, flags...), bad)...)
			asker.await(t, "refuted at step 1")
			out, err := allOutputOf(t, exec.Command("aiglens", append([]string{"cluster", "status", "--on", at(c.user)}, flags...)...))
			if err != nil || !strings.HasPrefix(out, "1 node, 1 check at a time") {
				t.Errorf("status: %v, %s", err, out)
			}
			streams, _ := filepath.Glob(filepath.Join(dir, "jetstream", "*", "streams", "*"))
			for _, s := range streams {
				if n := filepath.Base(s); !strings.HasPrefix(n, "team-circuits_") && !strings.HasPrefix(n, "KV_team-circuits_") {
					t.Errorf("the stream %s", n)
				}
			}
			if len(streams) < 5 {
				t.Errorf("streams: %q", streams)
			}
			// Without the user's secret a connection is refused.
			out, err = allOutputOf(t, exec.Command("aiglens", "check", "--on", at(c.wrongUser), "--ca", filepath.Join(keys, "certificate.pem"), bad))
			if err == nil || !strings.Contains(out, "refuses") || strings.Contains(string(out), "wrong@") {
				t.Errorf("without a secret: %v, %s", err, out)
			}
		})
	}
}
