package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ListenOptions say where a server listens.
type ListenOptions struct {
	Address string // HOST:PORT; port 0 is a free one
	// Dir keeps the token, the certificate and what the cluster has, from one start to the
	// next. It is made for its owner alone.
	Dir string
	// Insecure leaves out TLS and the token.
	Insecure bool
	// Warn is told what the owner of the server should know, from any goroutine; may be nil.
	Warn func(text string)
}

// Files of ListenOptions.Dir.
const (
	tokenFile       = "token"
	certificateFile = "certificate.pem"
	keyFile         = "key.pem"
)

// Listen starts a server in this process that others can reach. Unless it is insecure, a client
// needs the token, and speaks TLS with a certificate that the server has made for
// itself.
func Listen(o ListenOptions) (*Server, error) {
	host, port, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("the address %q: expected HOST:PORT", o.Address)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("the address %q: expected a number as its port", o.Address)
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	s := &Server{warn: o.Warn}
	if s.warn == nil {
		s.warn = func(string) {}
	}
	if s.lock, err = lockIn(o.Dir); err != nil {
		return nil, err
	}
	if err := s.listen(o, host, int(number)); err != nil {
		s.leaveFolder()
		return nil, err
	}
	s.watching.Go(s.watchDisk)
	return s, nil
}

// listen starts the server at a port of a host; 0 is a free one.
func (s *Server) listen(o ListenOptions, host string, port int) (err error) {
	options := &server.Options{
		ServerName: "aiglens", Host: host, Port: port, StoreDir: filepath.Join(o.Dir, "data"),
		MaxPayload: 1 << 20, MaxPending: 64 << 20, AuthTimeout: 2, TLSTimeout: 2,
	}
	if port == 0 {
		options.Port = server.RANDOM_PORT
	}
	if !o.Insecure {
		if s.token, err = tokenIn(filepath.Join(o.Dir, tokenFile)); err != nil {
			return fmt.Errorf("the token: %w", err)
		}
		pair, err := certificateIn(o.Dir, host)
		if err != nil {
			return fmt.Errorf("the certificate: %w", err)
		}
		options.Authorization, options.TLS = s.token, true
		options.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
		s.TokenFile, s.CAFile = filepath.Join(o.Dir, tokenFile), filepath.Join(o.Dir, certificateFile)
	}
	if err := s.start(options); err != nil {
		return err
	}
	if address, ok := s.ns.Addr().(*net.TCPAddr); ok {
		s.Port = address.Port
		s.options.Port = address.Port
	}
	return nil
}

// lockIn takes a folder for this process: two servers would write over each other's data.
func lockIn(dir string) (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if !hold(lock) {
		_ = lock.Close()
		return nil, fmt.Errorf("another server uses the folder %s; --dir names one", dir)
	}
	return lock, nil
}

// tokenIn returns the token in a file, which is made when it is not there.
func tokenIn(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err == nil {
		if token := strings.TrimSpace(string(text)); token != "" {
			return token, nil
		}
		return "", fmt.Errorf("%s is empty", path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	token := hex.EncodeToString(random)
	return token, writePrivate(path, []byte(token+"\n"))
}

// writePrivate makes a file for its owner alone.
func writePrivate(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// certificateYears is how long a certificate is valid, and how far the clock of a client that connects
// may be behind.
const certificateYears = 10

// certificateIn returns the certificate in a folder and its key, which are made when they are
// not there: for the names and addresses under which this machine may be reached.
func certificateIn(dir, host string) (tls.Certificate, error) {
	at, key := filepath.Join(dir, certificateFile), filepath.Join(dir, keyFile)
	if pair, err := tls.LoadX509KeyPair(at, key); !errors.Is(err, fs.ErrNotExist) {
		return pair, err
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "aiglens cluster"},
		NotBefore: time.Now().AddDate(-certificateYears, 0, 0), NotAfter: time.Now().AddDate(certificateYears, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA: true, BasicConstraintsValid: true, DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	if name, err := os.Hostname(); err == nil {
		template.DNSNames = append(template.DNSNames, name)
	}
	if ip := net.ParseIP(host); ip != nil && !ip.IsUnspecified() {
		template.IPAddresses = append(template.IPAddresses, ip)
	} else if ip == nil && host != "" {
		template.DNSNames = append(template.DNSNames, host)
	}
	addresses, _ := net.InterfaceAddrs() // without any it is reached by name
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() {
			template.IPAddresses = append(template.IPAddresses, n.IP)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return tls.Certificate{}, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return tls.Certificate{}, err
	}
	if err := writePrivate(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})); err != nil {
		return tls.Certificate{}, err
	}
	if err := writePrivate(at, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})); err != nil {
		return tls.Certificate{}, err
	}
	return tls.LoadX509KeyPair(at, key)
}
