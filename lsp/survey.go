package lsp

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/internal/source"
	"aiglens/lsp/document"
	"aiglens/lsp/wire"
)

// A survey checks files whether they are open or not. One that is not open is read
// from disk as a hidden file, and let go when its checks are done. What was said of
// it stays with the client until the file changes.
type survey struct {
	due      []string // paths of files that are not begun
	known    map[string]bool
	open     map[*file]bool // being checked
	loading  int            // being read
	done     int            // files
	progress *progress      // nil where the client shows none
}

// retired is a file that has been surveyed and is not open.
type retired struct {
	path          string
	info          fs.FileInfo // when it was read
	dependsOnMore bool        // on the models of other files
	failed        bool        // one of its properties is refuted or unknown
	outdated      bool        // what was said of it is taken back
}

// maxSurveyedSize bounds the bytes of a file that a survey reads.
const maxSurveyedSize = 256 << 20

// circuitFiles finds the circuits below some folders.
func circuitFiles(ctx context.Context, formats document.Formats, folders []string) ([]string, error) {
	var all []string
	for _, root := range folders {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			switch name := filepath.Base(path); {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				return nil // unreadable: as if it were not there
			case e.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "node_modules"):
				return fs.SkipDir
			case e.Type().IsRegular() && formats.HasCircuit(name):
				all = append(all, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// executeCheckWorkspace checks all circuits of the workspace and answers how many files
// these are.
func (s *server) executeCheckWorkspace(ctx context.Context, _ *wire.WorkspaceParams) (answer wire.WorkspaceCheck, err error) {
	s.index.mu.Lock()
	folders := s.index.folders
	s.index.mu.Unlock()
	paths, err := circuitFiles(ctx, s.opts.Formats, folders)
	if err != nil {
		return answer, err
	}
	s.owner.do(func() { s.surveyFiles("Checking all circuits", paths) })
	return wire.WorkspaceCheck{Files: len(paths)}, nil
}

// surveyFiles checks files, together with those of a survey that is under way.
func (s *session) surveyFiles(title string, paths []string) {
	if len(paths) == 0 {
		return
	}
	if s.survey == nil {
		s.survey = &survey{known: map[string]bool{}, open: map[*file]bool{}}
		if s.client.progress {
			s.survey.progress = s.newProgress(title)
		}
	}
	for _, path := range paths {
		if path = filepath.Clean(path); !s.survey.known[path] {
			s.survey.known[path] = true
			s.survey.due = append(s.survey.due, path)
		}
	}
	s.surveyNext()
}

// surveyNext begins with as many files as keep the workers busy, and ends a survey
// that has no file left.
func (s *session) surveyNext() {
	v := s.survey
	if v == nil {
		return
	}
	for len(v.due) > 0 && len(v.open)+v.loading <= s.settings.Workers {
		path := v.due[0]
		v.due = v.due[1:]
		if f := s.files[uri.File(path)]; f != nil && !f.hidden {
			v.open[f] = true
			s.checkFile(f)
			continue
		}
		v.loading++
		formats, opts := s.opts.Formats, s.settings.Document
		s.background(func(context.Context) {
			doc, info, err := readCircuit(path, formats, opts)
			s.post(func() {
				if s.survey == v {
					v.loading--
					s.surveyed(path, doc, info, err)
				}
			})
		})
	}
	if len(v.open)+v.loading+len(v.due) == 0 {
		s.endSurvey()
	}
}

// readCircuit reads a file of any format and encoding.
func readCircuit(path string, formats document.Formats, opts document.Options) (*document.Document, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > maxSurveyedSize {
		return nil, nil, fmt.Errorf("%s is too large to be checked unopened", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	text, kind, _, err := formats.Read(path, data)
	if err != nil {
		return nil, nil, err
	}
	return document.New(string(uri.File(path)), kind, 0, source.NewText(text), opts), info, nil
}

// surveyed takes in a file that was read.
func (s *session) surveyed(path string, doc *document.Document, info fs.FileInfo, err error) {
	if err != nil {
		s.log.Warn("a file is not checked", zap.Error(err))
		s.survey.done++
		s.surveyNext()
		return
	}
	key := uri.File(path)
	if f := s.files[key]; f != nil { // opened meanwhile
		s.survey.open[f] = true
		s.checkFile(f)
		return
	}
	delete(s.retired, key)
	if doc.Options() != s.settings.Document { // they have changed while it was read
		doc = doc.WithOptions(s.settings.Document)
	}
	f := newFile(key, doc)
	f.hidden, f.info = true, info
	s.files[key] = f
	s.survey.open[f] = true
	s.textReplaced(f)
	s.checkFile(f)
}

// surveyStep looks whether a file is done, which then leaves the survey and, unless it
// is open, goes.
func (s *session) surveyStep(f *file) {
	if f.isBusy() || !f.checks.IsAnalysed() {
		return
	}
	s.leaveSurvey(f)
	if f.hidden {
		s.whenShown(func() { s.retire(f) })
	}
}

// isBusy reports whether checks of a file run or are being prepared.
func (f *file) isBusy() bool { return f.checks.IsBusy() || f.preparing != nil }

// takeOver has a file that is opened take the place of the one that was read before,
// with the checks that are under way there. It reports whether there are any.
func (s *session) takeOver(f, before *file) bool {
	busy := before.hidden && before.isBusy()
	if s.survey != nil && s.survey.open[before] {
		delete(s.survey.open, before)
		s.survey.open[f] = true
		busy = true
	}
	return busy
}

// leaveSurvey takes a file out of the survey, done or not.
func (s *session) leaveSurvey(f *file) {
	if s.survey != nil && s.survey.open[f] {
		delete(s.survey.open, f)
		s.survey.done++
		s.surveyNext()
	}
}

// whenShown has the owner run f when the client has been sent what there is to say
// now, and what the present function changes.
func (s *session) whenShown(f func()) {
	s.background(func(context.Context) {
		s.owner.do(func() {})
		s.publisher.Idle(func() { s.statuses.Idle(func() { s.post(f) }) })
	})
}

// retire lets a hidden file go that has nothing more to do. What the client was told
// of it stays.
func (s *session) retire(f *file) {
	key := uri.URI(f.doc.URI)
	if s.files[key] != f || !f.hidden || f.isBusy() || s.survey != nil && s.survey.open[f] {
		return
	}
	f.stopAnalysis()
	if !f.checks.IsAnalysed() {
		close(f.analysed)
	}
	delete(s.files, key)
	s.changed[key] = true
	s.retired[key] = retired{path: key.FsPath(), info: f.info, dependsOnMore: f.doc.DependsOnOthers(), failed: f.hasFailed()}
	s.unretire(func(r retired) bool { return r.path == key.FsPath() && r.hasChanged() })
}

// hasFailed reports whether a property of a file is refuted or unknown.
func (f *file) hasFailed() bool {
	if !f.checks.IsAnalysed() {
		return false
	}
	return slices.ContainsFunc(f.doc.Properties(), func(p document.Property) bool { return f.status(p.ID).Failed() })
}

// hasChanged reports whether the file on disk is gone, or another than the client was
// told of.
func (r retired) hasChanged() bool {
	info, err := os.Stat(r.path)
	return err != nil || !r.outdated && (!info.ModTime().Equal(r.info.ModTime()) || info.Size() != r.info.Size())
}

// readHiddenAnew has files of a survey that have changed on disk read and checked
// again.
func (s *session) readHiddenAnew(paths []string) {
	for _, path := range paths {
		key := uri.File(path)
		if f := s.files[key]; f != nil && f.hidden {
			s.closeFile(key)
			if s.survey != nil {
				delete(s.survey.known, path)
			}
			s.surveyFiles("Checking "+filepath.Base(path), []string{path})
		}
	}
}

// dropDue takes a file out of a survey that has not come to it yet.
func (s *session) dropDue(path string) {
	if s.survey == nil {
		return
	}
	before := len(s.survey.due)
	s.survey.due = slices.DeleteFunc(s.survey.due, func(due string) bool { return due == filepath.Clean(path) })
	s.survey.done += before - len(s.survey.due)
	s.surveyNext()
}

// unretire takes back what was said of files that are not open and that is not known
// to hold any more.
func (s *session) unretire(changed func(retired) bool) {
	for key, r := range s.retired {
		if !changed(r) {
			continue
		}
		_, err := os.Stat(r.path)
		gone := err != nil
		if r.outdated && !gone {
			continue
		}
		r.outdated = true
		s.retired[key] = r
		change := changedOnDisk
		if gone {
			delete(s.retired, key)
			change = goneFromDisk
		}
		s.publisher.request(key)
		s.statuses.outdated(key, change)
	}
}

// endSurvey ends a survey with the checks of its hidden files.
func (s *session) endSurvey() {
	v := s.survey
	if v == nil {
		return
	}
	s.survey = nil
	if v.progress != nil {
		v.progress.end()
	}
	for f := range v.open {
		s.stopFile(f)
		if f.hidden {
			s.whenShown(func() { s.retire(f) })
		}
	}
}

// report says how far a survey has come.
func (v *survey) report() {
	if v.progress == nil {
		return
	}
	if now := time.Now(); now.Sub(v.progress.last) >= reportInterval {
		v.progress.last = now
		total := len(v.known)
		running := 0
		for f := range v.open {
			running += f.checks.Active()
		}
		message := fmt.Sprintf("%d of %d files · %d properties under way", v.done, total, running)
		v.progress.put(report{message, uint32(100 * v.done / max(1, total))})
	}
}

// recheckFailed checks again what is refuted or unknown, of one file or of all.
func (s *session) recheckFailed(only uri.URI) {
	for key, f := range s.files {
		if only != "" && key != only {
			continue
		}
		failed, effects := f.checks.Failed(f.doc.Properties())
		s.perform(f, effects)
		if len(failed) > 0 {
			s.checkProperties(f, failed)
		}
	}
	var paths []string
	for key, r := range s.retired {
		if (only == "" || key == only) && r.failed {
			paths = append(paths, r.path)
		}
	}
	s.surveyFiles("Checking what failed", paths)
}

// retiredPoll is how often files are looked at that are not open.
const retiredPoll = 2 * time.Second

// watchRetired looks for changes of files that are not open: not every client tells
// them, and none tells all.
func (s *session) watchRetired(ctx context.Context) {
	tick := time.NewTicker(retiredPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var all []retired
		s.owner.do(func() { all = slices.Collect(maps.Values(s.retired)) })
		changed := map[retired]bool{}
		for _, r := range all {
			if r.hasChanged() {
				changed[r] = true
			}
		}
		if len(changed) > 0 {
			s.post(func() { s.unretire(func(r retired) bool { return changed[r] }) })
		}
	}
}
