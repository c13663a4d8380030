package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// suggested are lemmas that were suggested for a property of a text. Of another text they mean
// nothing.
type suggested struct {
	doc      *design.Design
	property circuit.Property
	all      []answers.Suggestion
}

// suggestedFor returns what was suggested for the present text.
func (v *view) suggestedFor() *suggested {
	if v.suggested == nil || v.suggested.doc != v.doc {
		return nil
	}
	return v.suggested
}

// maxSuggested bounds the lemmas that a code action, or a question, offers.
const maxSuggested = 5

// executeSuggest guesses lemmas. A client that cannot offer them by itself is asked which of
// them the text is to be given.
func executeSuggest(ctx context.Context, s *session, params *wire.PropertyParams) (answer wire.Suggestions, err error) {
	a, err := searchFor(ctx, s, wire.CommandSuggest.Name, *params, ide.Status.LacksAnswer, hasAnswer)
	if err != nil {
		return answer, err
	}
	found := suggested{doc: a.view.doc, property: a.Property.ID}
	answer = wire.Suggestions{Property: propertyID(a.Property.ID), Name: a.Property.Name, Version: a.view.doc.Version, Lemmas: []wire.SuggestedLemma{}}
	err = a.do(ctx, "Looking for lemmas for "+a.Property.Name, func(_, limited context.Context) (err error) {
		found.all, answer.Others, err = answers.Suggest(limited, a.Question, *a.status.Result)
		return err
	})
	if err != nil {
		return answer, err
	}
	for _, x := range found.all {
		answer.Lemmas = append(answer.Lemmas, wire.SuggestedLemma{Title: x.Title, Detail: x.Detail, Facts: x.Facts})
	}
	err = a.whenAnalysed(ctx, func(f *file) {
		f.found.suggested = &found
		a.publishing.touch(f)
	})
	if errors.Is(err, errTextChanged) {
		err = refused(err)
	}
	if err == nil && !snapshotFrom(ctx).client.commands.has(ide.Suggest) {
		a.background(func(ctx context.Context) { a.askForLemmas(ctx, found.all) })
	}
	return answer, err
}

// askForLemmas has the user choose one of some lemmas, and the text given it.
func (a *search) askForLemmas(ctx context.Context, all []answers.Suggestion) {
	if len(all) == 0 {
		a.tell("no lemma is suggested")
		return
	}
	if !a.snapshot.Load().client.documentChanges {
		a.tell(errUnversioned.Error())
		return
	}
	question := protocol.ShowMessageRequestParams{Type: protocol.MessageTypeInfo}
	question.Message = fmt.Sprintf("aiglens: %s: which of these guesses should become a lemma? They are not proved. A lemma is proved before it is used, and a wrong one is ignored. The code actions of the property offer them too.", a.Property.Name)
	for _, x := range all[:min(len(all), maxSuggested)] {
		question.Actions = append(question.Actions, protocol.MessageActionItem{Title: x.Title})
	}
	var chosen *protocol.MessageActionItem
	if err := protocol.Call(ctx, a.conn, protocol.MethodWindowShowMessageRequest, &question, &chosen); err != nil || chosen == nil {
		return
	}
	for i, x := range all {
		if x.Title == chosen.Title {
			if err := a.addLemmas(ctx, lemmasAmong(all, []int{i})); err != nil {
				a.tell(err.Error())
			}
			return
		}
	}
}

// errUnversioned says why a client is not asked to apply an edit.
var errUnversioned = errors.New("this editor does not compare the version of the text before it applies an edit: use the code action that adds the lemma")

// addLemmas asks the client to apply the edit that adds some lemmas. It names the version that it is
// about, so that no other text is changed.
func (a *search) addLemmas(ctx context.Context, lemmas []design.Lemma) error {
	client := a.snapshot.Load().client
	if !client.documentChanges {
		return errUnversioned
	}
	edits, err := a.view.doc.AddLemmas(lemmas)
	if err != nil {
		return err
	}
	if err := a.whenAnalysed(ctx, func(*file) {}); err != nil {
		return err
	}
	return a.applyEdits(ctx, a.view, "Add lemmas", edits, client)
}

func lemmasAmong(all []answers.Suggestion, chosen []int) (lemmas []design.Lemma) {
	for _, i := range chosen {
		lemmas = append(lemmas, all[i].Lemma)
	}
	return lemmas
}

// executeAddLemmas adds lemmas that were suggested, or an expression as one.
func executeAddLemmas(ctx context.Context, s *session, params *wire.AddLemmasParams) (wire.None, error) {
	if params.Expression != "" {
		return nil, addExpression(ctx, s, params)
	}
	v, ids, err := propertiesFrom(ctx, wire.CommandAddLemmas.Name, params.PropertyParams)
	if err != nil {
		return nil, err
	}
	if len(params.Lemmas) == 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: no lemma is named", wire.CommandAddLemmas.Name)
	}
	found := v.suggestedFor()
	if found == nil || v.doc.Version != params.Version || !slices.Equal(ids, []circuit.Property{found.property}) {
		return nil, refused(errTextChanged)
	}
	for _, i := range params.Lemmas {
		if i < 0 || i >= len(found.all) {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no lemma %d: %d were suggested", i, len(found.all))
		}
	}
	a := &search{session: s, view: v}
	if err := a.addLemmas(ctx, lemmasAmong(found.all, params.Lemmas)); err != nil {
		return nil, refused(err)
	}
	return nil, nil
}

// addExpression adds the lemma that an expression holds in every step.
func addExpression(ctx context.Context, s *session, params *wire.AddLemmasParams) error {
	v, err := openView(ctx, wire.CommandAddLemmas.Name, params.URI)
	if err != nil {
		return err
	}
	if v.doc.Version != params.Version {
		return refused(errTextChanged)
	}
	lemma, err := answers.LemmaFrom(ctx, v.doc, params.Expression)
	if err == nil {
		err = (&search{session: s, view: v}).addLemmas(ctx, []design.Lemma{lemma})
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return refused(err)
	}
	return nil
}

// lemmaActions offer the lemmas that were suggested for a property that a place touches.
func lemmaActions(v *view, params *protocol.CodeActionParams, client clientSide) (all []protocol.CommandOrCodeAction) {
	found := v.suggestedFor()
	kind := kindAdd
	if found == nil || !wanted(params.Context.Only, kind) {
		return nil
	}
	p, ok := v.doc.Property(found.property)
	span := v.mapper.RangeSpan(params.Range)
	if !ok || p.Row.Start > span.End() || span.Start > p.Row.End() {
		return nil
	}
	for _, x := range found.all[:min(len(found.all), maxSuggested)] {
		all = append(all, &protocol.CodeAction{Title: "Add the suggested lemma: " + x.Title, Kind: &kind, Edit: v.workspaceEdit(x.Edits, client)})
	}
	return all
}
