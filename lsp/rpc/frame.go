package rpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"go.lsp.dev/jsonrpc2"

	"aiglens/internal/lazy"
)

const (
	maxHeaderLine = 4 << 10  // bytes
	keptEnd       = 4 << 10  // bytes of either end of a message which is skipped
	keptBody      = 1 << 20  // bytes of memory that are kept between messages
	maxSkipped    = 16 << 30 // bytes of a message that is read only to skip it
)

// HeaderError says that a header cannot be read, and so where no message begins any more.
type HeaderError struct{ Reason string }

func (e *HeaderError) Error() string {
	return e.Reason + ": the start of the next message is unknown, so the connection is closed"
}

// SkippedError says that a message was larger than the limit and has been skipped.
type SkippedError struct {
	Ends        []byte // its first and its last bytes
	Size, Limit int64  // bytes
}

func (e *SkippedError) Error() string {
	return fmt.Sprintf("a message of %d bytes is not read: the limit is %d", e.Size, e.Limit)
}

// lastMembers are members that stand after the large one of a message, to its end.
var lastMembers = lazy.Pattern(`[}\]"]((?:\s*,\s*"(?:id|jsonrpc|method)"\s*:\s*(?:-?\d+|"(?:[^"\\]|\\.)*"))+)\s*\}\s*$`)

// requestID returns the id of the request that the message was; none where it was another
// message, or its ends do not say. Members of its parameters are not taken for those of
// the message: in front only those before the first object or list are read.
func (e *SkippedError) requestID() (id jsonrpc2.ID) {
	members := map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(e.Ends))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return id
	}
	for {
		name, err := d.Token()
		word, is := name.(string)
		if err != nil || !is {
			break
		}
		value, err := d.Token()
		if _, isInner := value.(json.Delim); err != nil || isInner {
			break
		}
		members[word], _ = json.Marshal(value) // a word or a number
	}
	if last := lastMembers().FindSubmatch(e.Ends); last != nil {
		_ = json.Unmarshal(append(bytes.Replace(last[1], []byte(","), []byte("{"), 1), '}'), &members) // as they were found
	}
	if members["method"] == nil || len(members["id"]) > maxID {
		return id
	}
	id, _ = idFromJSON(members["id"])
	return id
}

// idFromJSON reads the id of a request.
func idFromJSON(raw []byte) (id jsonrpc2.ID, ok bool) {
	var number int64
	var word string
	switch {
	case bytes.Equal(raw, []byte("null")):
		return id, false
	case json.Unmarshal(raw, &number) == nil:
		return jsonrpc2.NewNumberID(number), true
	case json.Unmarshal(raw, &word) == nil:
		return jsonrpc2.NewStringID(word), true
	}
	return id, false
}

// frameReader takes messages out of their frames.
type frameReader struct {
	in    *bufio.Reader
	limit func() int64 // of the body of a message, in bytes
	body  []byte
}

func newFrameReader(in io.Reader, limit func() int64) *frameReader {
	return &frameReader{in: bufio.NewReaderSize(in, maxHeaderLine), limit: limit}
}

// next returns the body of the next message, valid until the call after, and the size of
// the frame. It takes memory as bytes come, whatever the header announces. After a
// SkippedError reading goes on; every other error is the end, io.EOF between two messages.
func (r *frameReader) next() (body []byte, size int64, err error) {
	length, header, err := r.header()
	if err != nil {
		return nil, 0, err
	}
	if limit := r.limit(); length > limit {
		return nil, 0, r.skip(length, limit)
	}
	if cap(r.body) > keptBody {
		r.body = nil
	}
	r.body = r.body[:0]
	for left := int(length); left > 0; {
		at := len(r.body)
		more := min(left, max(at, maxHeaderLine)) // at most doubles
		r.body = slices.Grow(r.body, more)[:at+more]
		if _, err := io.ReadFull(r.in, r.body[at:]); err != nil {
			return nil, 0, truncated(err)
		}
		left -= more
	}
	return r.body, header + length, nil
}

// skip reads a message without keeping more than its ends.
func (r *frameReader) skip(length, limit int64) error {
	if length > maxSkipped {
		return &HeaderError{fmt.Sprintf("a message of %d bytes is announced", length)}
	}
	ends := make([]byte, min(length, 2*keptEnd))
	head, tail := ends[:len(ends)/2], ends[len(ends)/2:]
	if _, err := io.ReadFull(r.in, head); err != nil {
		return truncated(err)
	}
	if _, err := io.CopyN(io.Discard, r.in, length-int64(len(ends))); err != nil {
		return truncated(err)
	}
	if _, err := io.ReadFull(r.in, tail); err != nil {
		return truncated(err)
	}
	return &SkippedError{Ends: ends, Size: length, Limit: limit}
}

// truncated is the error of an input that ends within a frame.
func truncated(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// header reads past the empty line and returns what it says of the length of the
// body, and its own. Lines may end in LF alone; fields with other names are ignored.
func (r *frameReader) header() (length, size int64, err error) {
	length = -1
	for {
		line, err := r.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return 0, 0, &HeaderError{fmt.Sprintf("a header line is longer than %d bytes", maxHeaderLine)}
		case err != nil && size+int64(len(line)) > 0:
			return 0, 0, truncated(err)
		case err != nil:
			return 0, 0, err
		}
		size += int64(len(line))
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) == 0 {
			break
		}
		name, value, isField := bytes.Cut(line, []byte(":"))
		if !isField {
			return 0, 0, &HeaderError{fmt.Sprintf("%q is not a header line", shortened(line))}
		}
		if !bytes.EqualFold(name, []byte("Content-Length")) {
			continue
		}
		n, err := strconv.ParseUint(string(bytes.Trim(value, " \t")), 10, 63)
		if err != nil {
			return 0, 0, &HeaderError{fmt.Sprintf("the Content-Length %q is not a number of bytes", shortened(value))}
		}
		length = int64(n)
	}
	if length < 0 {
		return 0, 0, &HeaderError{"a header without Content-Length"}
	}
	return length, size, nil
}
