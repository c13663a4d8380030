package lsp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/design/comparison"
	"aiglens/design/hierarchy"
	"aiglens/ic3/equiv"
	"aiglens/ic3/verify"
	"aiglens/internal/address"
	"aiglens/internal/source"
	"aiglens/lsp/inquiries"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

// executeCompare compares the circuit of an open file with another one. The request is
// answered at the end; cancelling it ends the comparison.
func executeCompare(ctx context.Context, s *session, params *wire.CompareParams) (answer wire.Comparison, err error) {
	c, err := comparisonFor(ctx, s, wire.CommandCompare.Name, params)
	if err != nil {
		return answer, err
	}
	found, err := c.run(ctx)
	if err != nil {
		return answer, err
	}
	answer = c.message(found)
	if answer.Run != nil {
		if answer.Run.ID, err = c.keepRun(ctx, &found.answer); err != nil {
			return answer, err
		}
	}
	v, library := c.view, c.library
	answer.Version, answer.Before = v.doc.Version, c.before
	if c.before == "" {
		return answer, nil
	}
	if answer.Verdict == wire.SamenessDifferent {
		text := c.other.Text.Content()
		answer.Earlier = &text
	}
	s.queue.Do(func() {
		rests := v.doc.DependsOnOthers() || c.other.DependsOnOthers()
		if f := s.texts.files[params.URI]; f != nil && f.doc == v.doc && (!rests || s.texts.models.library.Load() == library) {
			f.rewrites.Compared(v.doc.Text, found.answer.Brief(), rests)
			s.publishing.touch(f)
			s.publishing.askForLenses(lensChanged)
		}
	})
	return answer, nil
}

// comparisonFor returns the comparison that a client asks for with a command.
func comparisonFor(ctx context.Context, s *session, command string, params *wire.CompareParams) (*comparing, error) {
	if err := refuseUntrusted(ctx); err != nil {
		return nil, err
	}
	v, err := openView(ctx, command, params.URI)
	if err != nil {
		return nil, err
	}
	c := &comparing{session: s, command: command, params: params, view: v, limits: snapshotFrom(ctx).settings.Run.Limits, background: params.Background}
	if c.limits, err = withTimeout(c.limits, params.Timeout); err != nil {
		return nil, err
	}
	return c, c.findOther(ctx, command, params)
}

// openAt returns the view of a circuit that is open in the editor from a path; nil where the disk
// has what there is to say.
func openAt(ctx context.Context, path string) *view {
	for u, v := range snapshotFrom(ctx).views {
		if its, isFile := address.Path(u); isFile && !v.hidden && !v.outOfStep && v.doc.Kind != nil && its == filepath.Clean(path) {
			return v
		}
	}
	return nil
}

// comparing is a requested comparison.
type comparing struct {
	*session
	command    string
	params     *wire.CompareParams
	view       *view
	limits     verify.Limits
	other      *design.Design
	isOpen     bool   // other is open in the editor, as another file
	before     string // which text before it other is, in words; "" for none
	background bool
	earlier    *comparison.EarlierModels // of other; nil for those that there are now
	library    *hierarchy.Library        // from which the models come, once it has begun
}

// renew reads what others have written to files: not every client, and none at once, tells of
// them, and much may change while a comparison waits for its turn. The text stays the one that
// the client has asked about.
func (c *comparing) renew(ctx context.Context) (_ context.Context, err error) {
	c.texts.rereadNow(ctx)
	c.queue.Do(func() {
		ctx = withSnapshot(ctx, c.snapshot.Load())
		c.library = c.texts.models.library.Load()
	})
	if ctx.Err() != nil {
		return ctx, ctx.Err()
	}
	if v, ok := viewFrom(ctx, c.params.URI); ok && v.doc.Version == c.view.doc.Version {
		c.view = v // the same text, with the models that there are now
	}
	c.earlier = nil
	return ctx, c.findOther(ctx, c.command, c.params)
}

// compared is what a comparison has found.
type compared struct {
	matching *compare.Matching
	answer   comparison.Answer
	needs    *comparison.Needed // other files: nothing was compared; nil for none
}

// findOther finds the other side.
func (c *comparing) findOther(ctx context.Context, command string, params *wire.CompareParams) (err error) {
	given := 0
	for _, is := range []bool{params.Text != nil, params.Path != "", params.Before} {
		if is {
			given++
		}
	}
	v := c.view
	switch {
	case given != 1:
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes exactly one of text, path and before", command)
	case params.Rewritten && params.Text == nil:
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes rewritten only with a text", command)
	case params.Earlier != nil && params.Text == nil:
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes earlier files only with a text", command)
	case params.Text != nil:
		c.other = v.doc.Successor(v.doc.Version, source.NewText(*params.Text))
		if params.Earlier != nil {
			c.earlier = comparison.NewEarlierModels(earlierFiles(params.Earlier), c.filesNow(ctx))
			c.other = c.other.WithOptions(c.earlier.Options(c.other.Options()))
		}
	case params.Before:
		var text source.Text
		text, c.before = v.rewrites.Before()
		c.other = v.doc.Successor(v.doc.Version, text)
	case !filepath.IsAbs(params.Path):
		return refused(fmt.Errorf("%s is not an absolute path", params.Path))
	default:
		open := openAt(ctx, params.Path)
		c.isOpen = open != nil && open != v
		if c.isOpen {
			c.other = open.doc
		} else if c.other, _, err = workspace.ReadCircuit(c.texts.disk, c.opts.Formats, params.Path, snapshotFrom(ctx).settings.Document); err != nil {
			return refused(err)
		}
	}
	return nil
}

// filesNow are the texts of a snapshot, where files are open, before those of the disk.
func (c *comparing) filesNow(ctx context.Context) hierarchy.Files {
	files := openFiles{disk: c.texts.models.disk, open: map[string]source.Text{}, trusted: true}
	for key, v := range snapshotFrom(ctx).views {
		if path, isFile := address.Path(key); isFile && !v.hidden && !v.outOfStep {
			files.open[path] = v.doc.Text
		}
	}
	return files
}

// run compares, unless it is known what comes of it. The client sees how far it is.
func (c *comparing) run(ctx context.Context) (found compared, err error) {
	i := inquiries.Inquiry{Kind: inquiries.Comparison, Title: "Comparing " + path.Base(c.view.name.Path()), AfterChecks: c.background}
	err = c.inquire(ctx, i, func(ctx context.Context, show func(string)) error {
		if ctx, err = c.renew(ctx); err != nil {
			return err
		}
		isEdit := c.params.Before || c.params.Rewritten
		options := compare.Options{Positions: isEdit, Pruned: isEdit}
		found.matching, err = comparison.Match(ctx, c.view.doc, c.other, options)
		if found.needs = c.earlier.Needed(); found.needs != nil && ctx.Err() == nil {
			return nil
		}
		if err != nil {
			return err
		}
		other := c.other
		if c.earlier != nil && !other.DependsOnOthers() { // other files mean nothing to it
			other = other.WithOptions(c.view.doc.Options())
		}
		key, lasts := comparison.KeyOf(c.view.doc, other, options)
		if known, ok := c.compared.Known(key); ok && lasts {
			found.answer = known
			return nil
		}
		if found.answer, err = c.compareMatched(ctx, found.matching, show); err == nil && lasts {
			c.compared.Keep(key, found.answer)
		}
		return err
	})
	return found, err
}

// compareMatched has engines compare what was matched.
func (c *comparing) compareMatched(ctx context.Context, m *compare.Matching, show func(string)) (answer comparison.Answer, err error) {
	engine := snapshotFrom(ctx).settings.Run.Engine
	report := equiv.Run(ctx, m, equiv.Options{
		Engine: c.opts.Engine(engine), Limits: c.limits, Workers: 1,
		Progress: func(question string, p verify.Progress) { show(fmt.Sprintf("%s · depth %d", question, p.Depth)) },
	})
	if ctx.Err() != nil {
		return answer, ctx.Err()
	}
	if report.Internal != nil {
		c.log.Error("comparison: " + report.Internal.Error())
	}
	return comparison.AnswerFrom(ctx, [2]*design.Design{c.view.doc, c.other}, report)
}

// earlierFiles are other files as a client knows them.
func earlierFiles(files *wire.EarlierFiles) comparison.EarlierFiles {
	all := comparison.EarlierFiles{Folders: files.Folders}
	for _, f := range files.Files {
		all.Files = append(all.Files, comparison.EarlierFile(f))
	}
	return all
}

// message says in a message what was found.
func (c *comparing) message(found compared) wire.Comparison {
	if needs := found.needs; needs != nil {
		return wire.Comparison{
			Verdict: wire.SamenessUnknown, Message: "unknown: models of other files may be needed", Pairs: []wire.ComparedPair{}, Alone: []string{}, OtherAlone: []string{},
			Needs: &wire.NeededFiles{Files: orEmpty(needs.Files), Folders: orEmpty(needs.Folders)},
		}
	}
	a := &found.answer
	answer := wire.Comparison{
		Verdict: wire.Sameness(a.Verdict.String()), Message: a.Message, Pairs: []wire.ComparedPair{}, Alone: orEmpty(a.Alone[0]), OtherAlone: orEmpty(a.Alone[1]), Run: c.comparedRun(a.Run),
	}
	if a.Constraints != nil {
		pair := c.pair(a.Constraints)
		answer.Constraints = &pair
	}
	for i := range a.Pairs {
		answer.Pairs = append(answer.Pairs, c.pair(&a.Pairs[i]))
	}
	return answer
}

func (c *comparing) pair(p *comparison.Pair) wire.ComparedPair {
	pair := wire.ComparedPair{Name: p.Name, Verdict: wire.Sameness(p.Verdict.String()), Reason: p.Reason, Step: p.Step, Values: p.Values}
	for _, c := range p.Trail {
		pair.Trail = append(pair.Trail, c.String())
	}
	if p.Span != nil {
		row := c.view.mapper.SpanRange(*p.Span)
		pair.Range = &row
	}
	return pair
}

// comparedRun is a run of both sides in a message; nil for none.
func (c *comparing) comparedRun(run *comparison.Run) *wire.ComparedRun {
	if run == nil {
		return nil
	}
	rows := [2][]wire.ComparedRow{{}, {}}
	for side, text := range []source.Text{c.view.doc.Text, c.other.Text} {
		walk := c.view.mapper.For(text).Walker()
		for _, r := range run.Rows[side] {
			rows[side] = append(rows[side], wire.ComparedRow{
				Range: walk.SpanRange(r.Span), Name: r.Name, Kind: comparedKinds[r.Kind], Values: r.Values, Other: r.Other, Differs: r.Differs,
			})
		}
	}
	return &wire.ComparedRun{Steps: run.Steps, Observed: wire.ComparedSignal(run.Observed), Here: rows[0], There: rows[1], HereWords: wordsInMessage(run.Words[0]), ThereWords: wordsInMessage(run.Words[1])}
}

var comparedKinds = map[circuit.Kind]wire.ComparedKind{circuit.KindInput: wire.ComparedInput, circuit.KindLatch: wire.ComparedLatch, circuit.KindAnd: wire.ComparedGate}

// executeExportDifference answers with the first difference of two circuits in a format, and
// writes it to a file where the parameters name one. What was found of two texts is known; what
// is not is compared.
func executeExportDifference(ctx context.Context, s *session, params *wire.ExportDifferenceParams) (answer wire.ExportedTrace, err error) {
	if err := comparison.CheckExport(string(params.Format), string(params.Side)); err != nil {
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	to := target{params.Write, &params.Overwrite}
	if err := to.check(); err != nil {
		return answer, err
	}
	c, err := comparisonFor(ctx, s, wire.CommandExportDifference.Name, &params.CompareParams)
	if err != nil {
		return answer, err
	}
	found, err := c.run(ctx)
	switch {
	case err != nil:
		return answer, err
	case found.answer.Difference == nil:
		return answer, refused(errors.New("there is no difference to write: " + c.message(found).Message))
	}
	base := path.Base(c.view.name.Path())
	var text []byte
	var ending string
	err = s.inquire(ctx, inquiries.Inquiry{Kind: inquiries.Writing, Title: "Writing the difference"}, func(ctx context.Context, _ func(string)) (err error) {
		text, ending, err = comparison.Export(ctx, [2]*design.Design{c.view.doc, c.other}, found.matching, found.answer.Difference, [2]string{base, c.nameOfOther(params)}, string(params.Format), string(params.Side))
		return err
	})
	if err != nil {
		return answer, err
	}
	answer = wire.ExportedTrace{Name: strings.TrimSuffix(base, path.Ext(base)) + ending, Text: string(text)}
	return answer, to.write(text, &answer)
}

// nameOfOther names the other side for a person.
func (c *comparing) nameOfOther(params *wire.ExportDifferenceParams) string {
	switch {
	case params.Name != "":
		return params.Name
	case params.Path != "":
		return filepath.Base(params.Path)
	case params.Before:
		return "before"
	}
	return "other"
}
