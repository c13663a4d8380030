package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"aiglens/ic3/verify"
)

func init() {
	places := []string{"node-0", "asker-0", placeServer}
	for _, place := range places {
		faults = append(faults,
			fault{place + ": its network is cut and healed", 1, prepareNetwork, func(c *stage) {
				c.network.cut(place)
				c.pause(lasting)
				c.network.heal(place)
			}},
			fault{place + ": its network is taken away and set up again", 1, prepareNetwork, func(c *stage) {
				c.network.remove(place)
				c.pause(lasting)
				c.network.add(place)
			}})
	}
	faults = append(faults,
		fault{"the disk of the server is full for some time", 1, prepareDisk, func(c *stage) {
			free := c.fill()
			c.pause(4 * time.Second)
			free()
		}},
		fault{"the disk of the server is full for a moment", 1, prepareDisk, func(c *stage) {
			free := c.fill()
			c.pause(diskPoll / 2)
			free()
		}},
		fault{"the disk of the server is full, and the server is killed and comes back", 1, prepareDisk, func(c *stage) {
			free := c.fill()
			c.pause(time.Second)
			c.server.kill()
			free()
			c.startServer()
		}})
}

// network is one of network namespaces: a server, and all others each with a line of its own
// to it.
type network struct {
	*stage
	prefix string // of the names
	places []string
}

// prepareNetwork makes a network of namespaces.
func prepareNetwork(c *stage) (missing string) {
	return c.newNetwork("node-0", "node-1", "asker-0", "asker-1")
}

// newNetwork makes one with a server and these places.
func (c *stage) newNetwork(places ...string) (missing string) {
	if os.Geteuid() != 0 {
		return "network namespaces need root"
	}
	if _, err := exec.LookPath("ip"); err != nil {
		return "network namespaces need ip, of the Debian package iproute2"
	}
	if out, err := exec.Command("unshare", "-n", "true").CombinedOutput(); err != nil {
		return fmt.Sprintf("network namespaces cannot be made here: %v, %s", err, out)
	}
	c.network = &network{stage: c, prefix: fmt.Sprintf("ag%d", os.Getpid()), places: places}
	c.port = "4222"
	for _, place := range append([]string{placeServer}, places...) {
		c.network.ip("netns", "add", c.network.space(place))
		c.Cleanup(func() { _ = exec.Command("ip", "netns", "del", c.network.space(place)).Run() })
		c.network.ip("-n", c.network.space(place), "link", "set", "lo", "up")
	}
	for _, place := range places {
		c.network.add(place)
	}
	return ""
}

func (n *network) ip(args ...string) {
	n.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		n.Fatalf("ip %s: %v, %s", strings.Join(args, " "), err, out)
	}
}

func (n *network) space(place string) string { return n.prefix + "-" + place }

func (n *network) within(place string) []string {
	return []string{"ip", "netns", "exec", n.space(place)}
}

// line returns the number of a line to the server.
func (n *network) line(place string) int {
	for i, p := range n.places {
		if p == place {
			return i + 1
		}
	}
	n.Fatalf("there is no place %s", place)
	return 0
}

func (n *network) serverFrom(place string) string { return fmt.Sprintf("10.77.%d.1", n.line(place)) }

// lines returns the places whose lines are those of a place: that of the server has all.
func (n *network) lines(place string) []string {
	if place == placeServer {
		return n.places
	}
	return []string{place}
}

// add connects a place with the server.
func (n *network) add(place string) {
	for _, p := range n.lines(place) {
		i, server, there := n.line(p), n.space(placeServer), n.space(p)
		near, far := fmt.Sprint("near", i), fmt.Sprint("far", i)
		n.ip("link", "add", near, "netns", server, "type", "veth", "peer", "name", far, "netns", there)
		n.ip("-n", server, "address", "add", fmt.Sprintf("10.77.%d.1/24", i), "dev", near)
		n.ip("-n", there, "address", "add", fmt.Sprintf("10.77.%d.2/24", i), "dev", far)
		n.ip("-n", server, "link", "set", near, "up")
		n.ip("-n", there, "link", "set", far, "up")
	}
}

// remove takes the lines of a place away, with their addresses.
func (n *network) remove(place string) {
	for _, p := range n.lines(place) {
		n.ip("-n", n.space(placeServer), "link", "del", fmt.Sprint("near", n.line(p)))
	}
}

func (n *network) cut(place string)  { n.set(place, "down") }
func (n *network) heal(place string) { n.set(place, "up") }

func (n *network) set(place, state string) {
	for _, p := range n.lines(place) {
		n.ip("-n", n.space(placeServer), "link", "set", fmt.Sprint("near", n.line(p)), state)
	}
}

// prepareDisk gives the server a small disk of its own.
func prepareDisk(c *stage) (missing string) { return smallDisk(c.T, c.dir) }

// smallDisk mounts a small disk on a folder.
func smallDisk(t *testing.T, dir string) (missing string) {
	if os.Geteuid() != 0 {
		return "a small disk needs root"
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=32m"); err != nil {
		return fmt.Sprintf("a small disk cannot be made here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return ""
}

// TestFullDisk: the owner of a server whose disk is full learns it, and so does the asker; once there
// is room again, the check is made.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if missing := smallDisk(t, dir); missing != "" {
		t.Skip(missing)
	}
	owner, asker := &place{T: t}, &place{T: t}
	s, err := Listen(ListenOptions{Address: "127.0.0.1:0", Dir: filepath.Join(dir, "server"), Insecure: true, Warn: owner.warn})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	waiting := patient
	waiting.slow = time.Second
	connect := func(name string, p *place) *Conn {
		c, err := Connect(t.Context(), Options{URL: s.ns.ClientURL(), Name: name, Warn: p.warn, times: waiting})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	a := NewAsker(connect("asker", asker))
	free := fill(t, dir)
	eventually(t, "the owner knows", func() bool { return strings.Contains(owner.warnings(), "the disk of the server is full") })
	began, done := time.Now(), make(chan verify.Result, 1)
	go func() { done <- verify.Run(t.Context(), a.job(still(1)), nil) }()
	eventually(t, "the asker knows", func() bool { return asker.warnings() != "" })
	t.Logf("after %v: %s", time.Since(began).Round(time.Millisecond), asker.warnings())
	free()
	startNode(t, connect("node", owner), real)
	check(t, <-done, "proved")
}

// fill fills the disk of the server. The function that it returns frees it.
func (c *stage) fill() (free func()) { return fill(c.T, c.dir) }

func fill(t *testing.T, dir string) (free func()) {
	path := filepath.Join(dir, "full")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{1 << 20, 1 << 12, 1} {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	return func() { _ = os.Remove(path) }
}
