package cluster

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"

	"aiglens/ic3/verify"
)

// seed makes a key of NATS and returns it with its public part.
func seed(t *testing.T, make func() (nkeys.KeyPair, error)) (key nkeys.KeyPair, public string) {
	t.Helper()
	key, err := make()
	if err != nil {
		t.Fatal(err)
	}
	if public, err = key.PublicKey(); err != nil {
		t.Fatal(err)
	}
	return key, public
}

// credentials makes an operator with one account and one user, whose credentials are written
// to a file. It returns what the server is told about them.
func credentials(t *testing.T, file string) (config string) {
	t.Helper()
	operator, operatorID := seed(t, nkeys.CreateOperator)
	account, accountID := seed(t, nkeys.CreateAccount)
	user, userID := seed(t, nkeys.CreateUser)
	encode := func(text string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	a := jwt.NewAccountClaims(accountID)
	a.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: 6 << 30, Streams: -1, Consumer: -1}
	u := jwt.NewUserClaims(userID)
	u.IssuerAccount = accountID
	secret, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.FormatUserConfig(encode(u.Encode(account)), secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, systemID := seed(t, nkeys.CreateAccount)
	s := jwt.NewAccountClaims(systemID)
	o := jwt.NewOperatorClaims(operatorID)
	o.SystemAccount = systemID
	return fmt.Sprintf("operator: %s\nresolver: MEMORY\nresolver_preload: {\n  %s: %s\n  %s: %s\n}\n",
		encode(o.Encode(operator)), accountID, encode(a.Encode(operator)), systemID, encode(s.Encode(operator)))
}

// TestCredentials: a NATS server of another process, with operator, account and user, lets in
// clients with credentials, under a prefix.
func TestCredentials(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("a NATS server is built with go, which is not there")
	}
	dir := t.TempDir()
	program, file, config := filepath.Join(dir, "nats-server"), filepath.Join(dir, "user.creds"), filepath.Join(dir, "server.conf")
	build := exec.Command("go", "build", "-trimpath", "-o", program, "github.com/nats-io/nats-server/v2")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make build has compiled most of it
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	text := fmt.Sprintf("listen: %q\njetstream: { store_dir: %q, max_file_store: 20GB }\n%s", address, dir, credentials(t, file))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	server := exec.Command(program, "-c", config)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	eventually(t, "the server listens", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	o := Options{URL: "nats://" + address, Credentials: file, Prefix: "team.circuits", times: quick}
	startNode(t, dial(t, o, "node"), real)
	check(t, verify.Run(t.Context(), NewAsker(dial(t, o, "asker")).job(counter(4, 3, 9)), nil), "refuted")
	o.Credentials = ""
	if c, err := Connect(t.Context(), o); err == nil || !strings.Contains(err.Error(), "refuses") {
		if err == nil {
			c.Close()
		}
		t.Errorf("without credentials: %v", err)
	}
}
