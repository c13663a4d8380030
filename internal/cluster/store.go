package cluster

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Bounds of what a cluster keeps. Of blobs, answers and claims the oldest go first; a full
// queue takes no more jobs.
const (
	maxJobs       = 1 << 20
	maxJobBytes   = 512 << 20
	maxBlobBytes  = 4 << 30
	maxBlobMemory = 512 << 20 // of a server that keeps all in memory
	maxKeyBytes   = 128 << 20
	keepJobs      = 7 * 24 * time.Hour
	keepAnswers   = 30 * 24 * time.Hour
	keepClaims    = 24 * time.Hour
)

// parts are what the cluster has on the server.
type parts struct {
	mu   sync.RWMutex
	kept kept // guarded by mu: setUp replaces it

	restoring sync.Mutex
	restored  time.Time // guarded by restoring
}

// kept are the streams and buckets of the cluster.
type kept struct {
	jobs     jetstream.Stream
	queues   map[lane]jetstream.Consumer
	claims   jetstream.KeyValue
	answers  jetstream.KeyValue
	nodes    jetstream.KeyValue
	verdicts jetstream.KeyValue
	blobs    jetstream.Stream
}

// kept returns what setUp made last.
func (c *Conn) kept() kept {
	c.parts.mu.RLock()
	defer c.parts.mu.RUnlock()
	return c.parts.kept
}

// restore is setUp, once for all callers that need it at about the same time.
func (c *Conn) restore(ctx context.Context) error {
	c.parts.restoring.Lock()
	defer c.parts.restoring.Unlock()
	if time.Since(c.parts.restored) < c.opts.times.wanted {
		return nil
	}
	err := c.setUp(ctx)
	if err == nil {
		c.parts.restored = time.Now()
	}
	return err
}

// setUp makes what is missing on the server. A server that has lost its data needs it again.
func (c *Conn) setUp(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	storage, blobBytes := jetstream.FileStorage, int64(maxBlobBytes)
	if c.opts.Server != nil && c.opts.Server.inMemory {
		storage, blobBytes = jetstream.MemoryStorage, maxBlobMemory
	}
	var subjects []string
	for _, l := range lanes {
		subjects = append(subjects, c.subject(l.purpose(), "*"))
	}
	jobs, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: c.bucket + "_jobs", Subjects: subjects, Retention: jetstream.WorkQueuePolicy,
		Storage: storage, MaxMsgs: maxJobs, MaxBytes: maxJobBytes, MaxMsgSize: maxMessage, MaxAge: keepJobs,
		Discard: jetstream.DiscardNew, AllowDirect: true,
	})
	if err != nil {
		return fmt.Errorf("the queue of jobs: %w", err)
	}
	queues := map[lane]jetstream.Consumer{}
	for _, l := range lanes {
		name := l.purpose()
		if name == purposeJobs {
			name = "nodes" // of earlier versions, which a server may have: there is one for a subject
		}
		queues[l], err = jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: name, FilterSubject: c.subject(l.purpose(), "*"),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.opts.times.ackWait, MaxAckPending: -1,
		})
		if err != nil {
			return fmt.Errorf("the queue of jobs: %w", err)
		}
	}
	keys := func(name string, keep time.Duration) (jetstream.KeyValue, error) {
		kv, err := c.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: c.bucket + "_" + name, TTL: keep, MaxBytes: maxKeyBytes, MaxValueSize: maxMessage, Storage: storage,
		})
		if errors.Is(err, jetstream.ErrBucketExists) {
			return c.js.KeyValue(ctx, c.bucket+"_"+name)
		}
		if err == nil {
			err = c.dropOldest(ctx, "KV_"+c.bucket+"_"+name)
		}
		return kv, err
	}
	claims, err := keys("claims", keepClaims)
	if err != nil {
		return fmt.Errorf("the claims: %w", err)
	}
	answers, err := keys("answers", keepAnswers)
	if err != nil {
		return fmt.Errorf("the answers: %w", err)
	}
	verdicts, err := keys("verdicts", keepAnswers)
	if err != nil {
		return fmt.Errorf("the verdicts: %w", err)
	}
	nodes, err := keys("nodes", nodeForgets*c.opts.times.beat)
	if err != nil {
		return fmt.Errorf("the nodes: %w", err)
	}
	blobs, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: c.bucket + "_blobs", Subjects: []string{c.subject("blobs", "*.*")}, Storage: storage, MaxBytes: blobBytes,
		MaxAge: keepAnswers, MaxMsgsPerSubject: 1, MaxMsgSize: chunk, Discard: jetstream.DiscardOld, AllowDirect: true,
	})
	if err != nil {
		return fmt.Errorf("the circuits: %w", err)
	}
	c.parts.mu.Lock()
	defer c.parts.mu.Unlock()
	c.parts.kept = kept{jobs, queues, claims, answers, nodes, verdicts, blobs}
	return nil
}

// dropOldest tells a stream to drop its oldest messages when it is full, in the place of
// refusing new ones: all that is kept there can be made again.
func (c *Conn) dropOldest(ctx context.Context, name string) error {
	stream, err := c.js.Stream(ctx, name)
	if err != nil {
		return err
	}
	config := stream.CachedInfo().Config
	config.Discard = jetstream.DiscardOld
	_, err = c.js.UpdateStream(ctx, config)
	return err
}

// A blob is a message for each chunk of it, on a subject with its hash and the position of
// the chunk. The object store of NATS makes a consumer for each reading, which takes several
// times as long as most checks.
const chunk = 256 << 10

// chunkSubject returns that of the i-th chunk.
func (c *Conn) chunkSubject(hash string, i int) string {
	return c.subject("blobs", hash) + "." + strconv.Itoa(i)
}

// put keeps a blob under its hash.
func (c *Conn) put(ctx context.Context, hash string, data []byte) error {
	for i := 0; i == 0 || i*chunk < len(data); i++ {
		part := data[i*chunk : min(len(data), (i+1)*chunk)]
		if _, err := c.js.Publish(ctx, c.chunkSubject(hash, i), part); err != nil {
			return err
		}
	}
	return nil
}

// getChunk returns the chunk on a subject. A request without an answer is made again, until ctx
// ends.
func (c *Conn) getChunk(ctx context.Context, subject string) ([]byte, error) {
	for {
		within, stop := c.untilBack(ctx, callTime)
		m, err := c.kept().blobs.GetLastMsgForSubject(within, subject)
		isLost := within.Err() != nil && ctx.Err() == nil
		stop()
		switch {
		case err == nil:
			return m.Data, nil
		case !isLost:
			return nil, err
		}
	}
}

// get returns the blob with a hash and of a size, when it is there and whole.
func (c *Conn) get(ctx context.Context, hash string, size int) ([]byte, error) {
	var data []byte
	for i := 0; i == 0 || i*chunk < size; i++ {
		part, err := c.getChunk(ctx, c.chunkSubject(hash, i))
		if err != nil {
			return nil, err
		}
		if data = append(data, part...); len(data) != min(size, (i+1)*chunk) {
			return nil, fmt.Errorf("%w: the blob %s has another size", errMessage, hash)
		}
	}
	if hashOf(data) != hash {
		return nil, fmt.Errorf("%w: the blob %s has another content", errMessage, hash)
	}
	return data, nil
}
