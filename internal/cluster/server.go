package cluster

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server with JetStream in this process.
type Server struct {
	ns       *server.Server
	inMemory bool
	token    string // that connections within this process give, too
	dir      string // to be removed at the end; "" for none

	Port int // on which it listens; 0 for none
	// TokenFile and CAFile are what others need to connect; "" when they need nothing.
	TokenFile, CAFile string
}

// startTime is how long a server may take to be ready.
const startTime = 10 * time.Second

// StartLocal starts a server without a socket, which keeps all in memory, for the
// connections of this process.
func StartLocal() (*Server, error) {
	dir, err := os.MkdirTemp("", "aiglens-cluster-*")
	if err != nil {
		return nil, err
	}
	s := &Server{inMemory: true, dir: dir}
	err = s.start(&server.Options{DontListen: true, StoreDir: dir})
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return s, nil
}

// start starts the server with what all have in common.
func (s *Server) start(o *server.Options) (err error) {
	o.NoSigs, o.NoLog, o.JetStream = true, true, true
	o.PingInterval, o.MaxPingsOut = 10*time.Second, 2
	if s.ns, err = server.NewServer(o); err != nil {
		return fmt.Errorf("the server of the cluster: %w", err)
	}
	s.ns.Start()
	if !s.ns.ReadyForConnections(startTime) || !s.ns.JetStreamEnabled() {
		s.ns.Shutdown()
		return errors.New("the server of the cluster does not start")
	}
	return nil
}

// Close ends the server and returns when it is gone.
func (s *Server) Close() {
	s.ns.Shutdown()
	s.ns.WaitForShutdown()
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
	}
}
