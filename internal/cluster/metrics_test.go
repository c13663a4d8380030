package cluster

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"aiglens/ic3/verify"
)

// TestMetrics: each line of the metrics is one of the format, they count what the node does, and a lost
// connection is not health.
func TestMetrics(t *testing.T) {
	p := newPlace(t)
	p.times = remembered
	engine, begun := blocked()
	n := NewNode(p.connect("n"), 2, engineOf(engine))
	p.run(n)
	a := p.asker("me")
	done := make(chan verify.Result, 1)
	go func() { done <- verify.Run(t.Context(), a.job(still(1)), nil) }()
	<-begun
	h := Metrics(n.Conn, n)
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w
	}
	lines := strings.Split(strings.TrimSuffix(get("/metrics").Body.String(), "\n"), "\n")
	form := regexp.MustCompile(`^(# HELP (aiglens_\w+) [A-Z0-9].*\.|# TYPE (aiglens_\w+) (gauge|counter)|(aiglens_\w+) \d+)$`)
	for i, line := range lines {
		if m := form.FindStringSubmatch(line); m == nil || m[2]+m[3]+m[5] != form.FindStringSubmatch(lines[i/3*3])[2] {
			t.Errorf("line %d: %q", i+1, line)
		}
	}
	all := strings.Join(lines, "\n") + "\n"
	for _, want := range []string{
		"aiglens_connected 1\n", "aiglens_node_slots 2\n", "aiglens_node_busy 1\n", "aiglens_node_begun_total 1\n", "aiglens_node_ended_total 0\n",
		"aiglens_cluster_nodes 1\n", "aiglens_cluster_slots 2\n", "aiglens_cluster_waiting 0\n", "aiglens_cluster_given 1\n",
	} {
		if !strings.Contains(all, "\n"+want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if w := get("/healthz"); w.Code != 200 || w.Body.String() != "ok\n" {
		t.Errorf("health: %d, %q", w.Code, w.Body)
	}
	if w := get("/"); w.Code != 404 {
		t.Errorf("another path: %d", w.Code)
	}
	n.Drain()
	if !strings.Contains(get("/metrics").Body.String(), "\naiglens_node_draining 1\n") {
		t.Error("it is not draining")
	}
	n.nc.Close()
	if w := get("/healthz"); w.Code != 503 {
		t.Errorf("without a connection: %d", w.Code)
	}
	if !strings.Contains(get("/metrics").Body.String(), "\naiglens_connected 0\n") {
		t.Error("it is connected")
	}
	if _, err := a.Cancel(t.Context(), []string{""}); err != nil {
		t.Fatal(err)
	}
	<-done
}
