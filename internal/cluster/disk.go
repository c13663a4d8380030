package cluster

import (
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"aiglens/ic3/verify"
)

const (
	// diskPoll is how often a server looks how much its disk has left.
	diskPoll = 500 * time.Millisecond
	// lowDisk is how many bytes are so few that a write may have failed, and enoughDisk how
	// many are enough to go on.
	lowDisk, enoughDisk = 4 << 20, 8 << 20
	// failuresRest is the time between two restarts for writes that have failed: the cause
	// may be another one than a full disk, and be there still.
	failuresRest = 10 * time.Second
)

// watchDisk restarts the server when its disk was full and has room again: a stream of
// JetStream whose write has failed takes nothing more until then. A client that is connected connects
// again, as after any loss of the server. A disk that is full for a moment may be missed, and so
// what the server says of its writes counts as well.
func (s *Server) watchDisk() {
	tick := time.NewTicker(diskPoll)
	defer tick.Stop()
	wasLow := false
	var began time.Time // again, for a failure
	for {
		select {
		case <-s.ended:
			return
		case <-tick.C:
		}
		free, ok := freeDisk(s.options.StoreDir)
		if time.Since(began) >= failuresRest && s.failures.has() {
			began, wasLow = time.Now(), true
		}
		switch {
		case wasLow && (!ok || free >= enoughDisk):
			if wasLow = !s.restart(); !wasLow {
				s.warn("the server has restarted, after writes that failed or might have failed")
			}
		case ok && free < lowDisk:
			if !wasLow {
				s.warn("the disk of the server is full: checks wait until it has room")
			}
			wasLow = true
		}
	}
}

// restart ends the server and starts one with the same data at the same place. When that
// fails it reports false, and there is none until the next try.
func (s *Server) restart() bool {
	s.ns.Shutdown()
	s.ns.WaitForShutdown()
	s.failures.clear()
	ns, err := started(s.options.Clone(), s.failures)
	if err != nil {
		return false
	}
	s.replace(ns)
	return true
}

func (s *Server) replace(ns *server.Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ns = ns
}

// failures is a logger of a server that notes when a write of a stream has failed, and why the
// server does not start. It tells no client of writes: what was to be stored has no answer.
type failures struct {
	noted  chan struct{}
	fatals chan string // why the server does not start
}

var _ server.Logger = failures{}

func newFailures() failures { return failures{make(chan struct{}, 1), make(chan string, 1)} }

// has reports whether there was one since the last clear.
func (f failures) has() bool { return len(f.noted) > 0 }

func (f failures) clear() {
	select {
	case <-f.noted:
	default:
	}
}

// Errorf implements server.Logger.
func (f failures) Errorf(format string, _ ...any) {
	if strings.Contains(strings.ToLower(format), "critical write error") {
		select {
		case f.noted <- struct{}{}:
		default: // it is known
		}
	}
}

// Fatalf implements server.Logger, which ends nothing by it.
func (f failures) Fatalf(format string, args ...any) {
	select {
	case f.fatals <- verify.OneLine(fmt.Sprintf(format, args...), verify.MaxReason):
	default: // the first one is the cause
	}
}

// fatal returns why the server does not start; "" when it has not said so.
func (f failures) fatal() string {
	select {
	case text := <-f.fatals:
		return text
	default:
		return ""
	}
}

func (failures) Noticef(string, ...any) {}
func (failures) Warnf(string, ...any)   {}
func (failures) Debugf(string, ...any)  {}
func (failures) Tracef(string, ...any)  {}
