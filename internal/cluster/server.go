package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server with JetStream in this process.
type Server struct {
	mu       sync.Mutex // guards ns and closed
	ns       *server.Server
	closed   bool
	options  *server.Options // of the next start
	ended    chan struct{}   // closed with the server
	watching sync.WaitGroup
	failures failures // to write, and to start
	warn     func(text string)
	inMemory bool
	token    string   // that connections within this process give, too
	dir      string   // to be removed at the end; "" for none
	lock     *os.File // of the folder with the data; nil for none

	Port int // on which it listens; 0 for none
	// TokenFile and CAFile are what others need to connect; "" when they need nothing.
	TokenFile, CAFile string
}

// startTime is how long a server may take to be ready.
const startTime = 10 * time.Second

// StartLocal starts a server without a socket, which keeps all in memory, for the
// connections of this process.
func StartLocal() (*Server, error) {
	dir, lock, err := localFolder()
	if err != nil {
		return nil, err
	}
	s := &Server{inMemory: true, dir: dir, lock: lock}
	if err := s.start(&server.Options{DontListen: true, StoreDir: dir}); err != nil {
		s.leaveFolder()
		return nil, err
	}
	return s, nil
}

// unbounded is what streams may be allowed together, in bytes: each has a bound of its own. A
// server that went by what is free would refuse them where that is less than all the bounds,
// however little is used.
const unbounded = 1 << 40

// start starts the server with what all have in common.
func (s *Server) start(o *server.Options) (err error) {
	o.NoSigs, o.NoLog, o.JetStream = true, true, true
	o.PingInterval, o.MaxPingsOut = 10*time.Second, 2
	o.JetStreamMaxMemory, o.JetStreamMaxStore = unbounded, unbounded
	s.options, s.ended = o.Clone(), make(chan struct{})
	s.failures = newFailures()
	s.ns, err = started(o, s.failures)
	return err
}

func started(o *server.Options, log failures) (*server.Server, error) {
	ns, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("the server of the cluster: %w", err)
	}
	ns.SetLogger(log, false, false)
	ns.Start() // it has listened to its port when that returns, or has failed to
	fault := log.fatal()
	if fault == "" && ns.ReadyForConnections(startTime) && ns.JetStreamEnabled() {
		return ns, nil
	}
	ns.Shutdown()
	ns.WaitForShutdown()
	return nil, errors.New(strings.TrimSuffix("the server of the cluster does not start: "+cmp.Or(fault, log.fatal()), ": "))
}

// InProcessConn implements nats.InProcessConnProvider.
func (s *Server) InProcessConn() (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ns.InProcessConn()
}

// Close ends the server and returns when it is gone.
func (s *Server) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	close(s.ended)
	s.mu.Unlock()
	s.watching.Wait()
	s.ns.Shutdown()
	s.ns.WaitForShutdown()
	s.leaveFolder()
}

// leaveFolder lets another server have the folder, or removes it.
func (s *Server) leaveFolder() {
	if s.lock != nil {
		_ = s.lock.Close()
	}
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
	}
}
