// What menus, palette and keys know of the circuit that commands are about, so that each command is offered only
// where it can succeed.
import { commands, Disposable, window } from 'vscode';
import { propertiesAt, refutedIn, type Steps } from './counterexample/steps';
import { isCircuit, isClauses } from './formats';
import { activeSubject, onDidChangeSubject } from './pages';
import { circuitEditor, circuitUri } from './places';
import { hasProof, isFresh, isLeftUnknown, type StatusModel } from './status';

export function followContexts(model: StatusModel, steps: Pick<Steps, 'onDidChange' | 'shownIn'>): Disposable {
  const told = new Map<string, boolean>();
  const follow = () => {
    for (const [name, value] of Object.entries(contextsOf(model, steps))) {
      if (told.get(name) === value) continue;
      told.set(name, value);
      void commands.executeCommand('setContext', `aiglens.${name}`, value);
    }
  };
  follow();
  return Disposable.from(
    steps.onDidChange(follow),
    model.onDidChange(({ uri }) => uri === circuitUri() && follow()),
    model.onDidClear(follow),
    onDidChangeSubject(follow),
    window.onDidChangeActiveTextEditor(follow),
    window.onDidChangeVisibleTextEditors(follow),
    window.onDidChangeTextEditorSelection(follow),
  );
}

/** On the row of a property menus refer to that one and no other; a page is about its own. */
function contextsOf(model: StatusModel, steps: Pick<Steps, 'shownIn'>): Record<string, boolean> {
  const editor = circuitEditor();
  const subject = activeSubject();
  const uri = circuitUri() ?? '';
  const all = [...(model.file(uri)?.properties.values() ?? [])];
  const here = subject?.property !== undefined ? all.filter(({ property }) => property === subject.property) : editor === undefined ? [] : propertiesAt(model, uri, editor.selection.active.line);
  const shown = steps.shownIn(uri)?.property;
  const refuted = refutedIn(model, uri);
  // One of an earlier text has a trace and no step.
  const counterexamples = refuted.filter((status) => isFresh(status) || status.property === shown);
  const hasSteps = shown !== undefined || counterexamples.length > 0;
  // A derivation of Horn clauses has steps, and is nothing that is played, debugged or drawn.
  const clausesHere = editor !== undefined && isClauses(editor.document);
  const hasCounterexample = hasSteps && !clausesHere;
  const hasTrace = hasCounterexample || (refuted.length > 0 && !clausesHere);
  const isHere = (some: typeof all) => here.length === 0 || here.some((status) => some.includes(status));
  return {
    started: true,
    circuitHere: subject !== undefined || (editor !== undefined && isCircuit(editor.document)),
    clausesHere,
    hasProperties: all.length > 0,
    propertyHere: here.length > 0,
    hasSteps,
    stepsHere: hasSteps && isHere(counterexamples),
    hasCounterexample,
    counterexampleHere: hasCounterexample && isHere(counterexamples),
    hasTrace,
    traceHere: hasTrace && isHere(refuted),
    stepShown: shown !== undefined,
    proofHere: !clausesHere && here.some(hasProof),
    hasProof: !clausesHere && all.some(hasProof),
    hasUnknown: !clausesHere && all.some(isLeftUnknown),
    noProperties: model.without(uri) !== undefined || model.unwritten(uri) !== undefined,
  };
}
