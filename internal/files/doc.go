// Package files reads and writes files of people. A file is read whole, up to a limit, and no
// longer than a context lives: a path may be a pipe without a writer, a device without end, or a
// packed file that is thousands of times as large as it looks. A file is written whole or not at
// all: new content lies beside the file until it is complete and takes its place in one step, so
// that every reader finds the old content or the new one.
//
// The package knows nothing about what is in the files.
package files
