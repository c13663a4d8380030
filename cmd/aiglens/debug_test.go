package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestDebugAdapter speaks with the adapter as an editor does that goes away during the
// launch.
func TestDebugAdapter(t *testing.T) {
	var in, out, log bytes.Buffer
	for i, request := range []string{
		`"initialize","arguments":{"adapterID":"aiglens"}`,
		`"launch","arguments":{"program":"../../examples/semaphore2_broken.aag","witnessText":"1\nb0\n1001001\n10\n10\n01\n01\n00\n.\n"}`,
	} {
		message := fmt.Sprintf(`{"seq":%d,"type":"request","command":%s}`, i+1, request)
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	code := run(t.Context(), env{stdin: &in, stdout: &out, stderr: &log}, []string{"debug", "--cache", "off"})
	if code != exitOK || log.Len() > 0 {
		t.Errorf("exit code %d, %s", code, log.String())
	}
	if !strings.Contains(out.String(), `"supportsStepBack":true`) {
		t.Errorf("the session says %s", out.String())
	}
}
