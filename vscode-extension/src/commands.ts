// The commands of the palette and the menus. Their ids differ from those that
// the server announces, which the language client registers by itself.
import { commands, type Diagnostic, type Disposable, languages, type LogOutputChannel, type TestItem, type TextEditor, window } from 'vscode';
import { addLemma, showWhatIsHard, suggestLemmas } from './advice';
import type { Checks } from './checks';
import { showAboutFile } from './fileAnswers';
import { isVerilog } from './formats';
import { showHistory } from './history';
import { pickLatch } from './latches';
import { goToRefuted } from './navigation';
import { activeSubject } from './pages';
import { circuitEditor, circuitUri, fileName, openCircuitEditor, propertyFrom } from './places';
import { showProof } from './proof';
import * as protocol from './protocol';
import { reduceToCounterexample } from './reduce';
import { Refusal } from './refusal';
import type { Server } from './server';
import { hasProof, isLeftUnknown, type StatusModel } from './status';
import { showStatus } from './statusMenu';
import { tell } from './telling';
import { checkDesign, goToCircuit, goToHdl } from './verilog';
import type { Tests } from './testExplorer';

export function registerCommands(server: Server, checks: Checks, model: StatusModel, tests: Tests, log: LogOutputChannel): Disposable[] {
  return [
    forEditor('aiglens.checkProperty', (editor) => checks.check(atCursor(editor))),
    forEditor('aiglens.checkFile', (editor) => (isVerilog(editor.document.uri) ? checkDesign(server, editor) : checks.check(inFile(editor)))),
    forEditor('aiglens.goToCircuit', goToCircuit),
    forEditor('aiglens.goToHdl', goToHdl),
    forEditor('aiglens.stopChecks', (editor) => checks.stop(inFile(editor))),
    forEditor('aiglens.pickLatch', (editor) => pickLatch(server, atCursor(editor), inFile(editor))),
    forEditor('aiglens.showHistory', (editor) => showHistory(inFile(editor).uri)),
    register('aiglens.checkAllCircuits', () => checkAllCircuits(checks)),
    register('aiglens.stopAllChecks', () => checks.stop()),
    register('aiglens.recheck', () => recheck(checks, model)),
    register('aiglens.nextRefuted', () => goToRefuted(model, 1, circuitEditor())),
    register('aiglens.previousRefuted', () => goToRefuted(model, -1, circuitEditor())),
    commands.registerCommand('aiglens.goToProperty', (item: TestItem) => tests.explorer?.goTo(item)),
    register('aiglens.showStatus', () => showStatus(model)),
    register('aiglens.showUnneeded', (about) => toggleUnneeded(server, model, about)),
    register('aiglens.showWhatIsHard', ofUnknown(model, (found) => showWhatIsHard(server, found))),
    register('aiglens.suggestLemmas', ofUnknown(model, (found) => suggestLemmas(server, found))),
    forEditor('aiglens.addLemma', (editor) => addLemma(server, editor)),
    register('aiglens.reduceToCounterexample', (about) => reduceToCounterexample(server, about)),
    ...protocol.questions.map((question) => register(question.id, (about) => showAnswer(model, question, about))),
    register('aiglens.explainNoProperties', () => explainNoProperties(model)),
    register('aiglens.restartServer', () => server.restart()),
    register('aiglens.showLog', async () => log.show()),
  ];
}

/** Registers a command; what the server does not follow is told. */
export function register(id: string, run: (argument: unknown) => Promise<unknown>): Disposable {
  return commands.registerCommand(id, async (argument: unknown) => {
    try {
      await run(argument);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      void tellRefusal(error);
    }
  });
}

/** Says what the server refused. Of a counterexample of an earlier text it offers the trace. */
async function tellRefusal({ message, earlier }: Refusal): Promise<void> {
  const offers = earlier === undefined ? [] : ['Show the Trace'];
  const chosen = await tell('warning', message, ...offers);
  if (chosen !== undefined) await commands.executeCommand('aiglens.showTrace', earlier);
}

/**
 * Registers a command that works on the active editor, or on that of the circuit that the active page is about. Not
 * with registerTextEditorCommand, which neither waits for a command nor shows its errors.
 */
export function forEditor(id: string, run: (editor: TextEditor) => Promise<unknown>): Disposable {
  return register(id, async () => {
    const editor = await openCircuitEditor();
    if (editor !== undefined) await run(editor);
  });
}

/** Shows what is answered to a question about the file in the editor, or about a property of it. */
async function showAnswer(model: StatusModel, question: protocol.Question, about: unknown): Promise<void> {
  const show = ({ uri, property }: { uri: string; property: protocol.PropertyID }) => showProof(uri, property, question.name);
  switch (question.about) {
    case 'file': {
      const uri = circuitUri();
      return uri === undefined ? undefined : showAboutFile(question, uri);
    }
    case 'proved':
      return withProof(model, about, show);
    case 'unknown':
      return ofUnknown(model, show)(about);
    case 'property': {
      const found = propertyWith(model, undefined, about);
      if (found !== undefined) return show(found);
      void tell('information', 'the cursor is at no property.');
    }
  }
}

/** Does something about the proved property that a lens names, or the one at the cursor, else the only one. */
export async function withProof(model: StatusModel, about: unknown, run: (found: { uri: string; property: protocol.PropertyID }) => Promise<unknown>): Promise<void> {
  const found = propertyWith(model, 'proved', about) ?? (await chooseWith(model, hasProof, 'Proof of which property?'));
  if (found === none) void tell('information', 'there is no proof here. Only a proved property has one.');
  else if (found !== undefined) await run(found);
}

/** Fades the rows that a proof does not need, or shows all rows as usual where some are faded. */
async function toggleUnneeded(server: Server, model: StatusModel, about: unknown): Promise<void> {
  const editor = circuitEditor();
  const isFaded = editor !== undefined && languages.getDiagnostics(editor.document.uri).some(({ code }) => codeOf(code) === 'unneeded');
  if (isFaded) await server.execute(protocol.unneeded, { ...inFile(editor), hide: true });
  else await withProof(model, about, (found) => server.execute(protocol.unneeded, found));
}

function codeOf(code: Diagnostic['code']): string | number | undefined {
  return typeof code === 'object' ? code.value : code;
}

/** Looks for something about a property whose check has ended without an answer. */
function ofUnknown(model: StatusModel, look: (found: { uri: string; property: protocol.PropertyID }) => Promise<void>): (about: unknown) => Promise<void> {
  return async (about) => {
    const found = propertyWith(model, 'unknown', about) ?? (await chooseWith(model, isLeftUnknown, 'Which property?'));
    if (found === none) void tell('information', 'no property here has been left unknown by a check.');
    else if (found !== undefined) await look(found);
  };
}

/** The property that a lens names, or the one at the cursor with a verdict; without one any. */
function propertyWith(model: StatusModel, wanted: protocol.Verdict | undefined, about: unknown): { uri: string; property: protocol.PropertyID } | undefined {
  const named = propertyFrom(about) ?? ofPage(model, wanted);
  const editor = circuitEditor();
  const uri = named?.uri ?? editor?.document.uri.toString() ?? '';
  const line = editor?.selection.active.line ?? -1;
  const here = [...(model.file(uri)?.properties.values() ?? [])].find(({ range, verdict }) => (wanted === undefined || verdict === wanted) && range.start.line <= line && line <= range.end.line);
  const property = named?.property ?? here?.property;
  return property === undefined ? undefined : { uri, property };
}

/** The property that the active page is about, if it has that verdict. */
function ofPage(model: StatusModel, wanted: protocol.Verdict | undefined): { uri: string; property: protocol.PropertyID } | undefined {
  const { uri, property } = activeSubject() ?? {};
  if (uri === undefined || property === undefined) return undefined;
  return wanted === undefined || model.file(uri)?.properties.get(property)?.verdict === wanted ? { uri, property } : undefined;
}

/** There is nothing to choose from. */
const none = 'none';

/** Some property of the file: where it has several of the kind, the user says which. */
async function chooseWith(model: StatusModel, fits: (status: protocol.PropertyStatus) => boolean, title: string): Promise<{ uri: string; property: protocol.PropertyID } | typeof none | undefined> {
  const uri = circuitUri() ?? '';
  const all = [...(model.file(uri)?.properties.values() ?? [])].filter(fits);
  if (all.length === 0) return none;
  if (all.length === 1) return { uri, property: all[0]!.property };
  const chosen = await window.showQuickPick(all.map(({ name, text, property }) => ({ label: name, description: text, property })), { title });
  return chosen && { uri, property: chosen.property };
}

/** Says why a file has no properties, and offers the setting that could give it some. */
async function explainNoProperties(model: StatusModel): Promise<void> {
  const uri = circuitUri() ?? '';
  const unwritten = model.unwritten(uri);
  if (unwritten !== undefined) return void tell('information', `${fileName(uri)}: ${unwritten}.`);
  const { why = '', setting } = model.without(uri) ?? {};
  const change = 'Open Setting';
  const chosen = await tell('information', `${fileName(uri)} has no properties${why === '' ? '' : `: ${why}`}.`, ...(setting === undefined ? [] : [change]));
  if (chosen === change) await commands.executeCommand('workbench.action.openSettings', `aiglens.${setting}`);
}

/** The progress is the server's; here is said only what has none. */
async function checkAllCircuits(checks: Checks): Promise<void> {
  const found = await checks.checkWorkspace();
  if (found?.files === 0) {
    void tell('information', 'there is no circuit in the folders of the workspace.');
  }
}

/** Of the circuit in the editor, or where there is none of all that are known. */
function recheck(checks: Checks, model: StatusModel): Promise<unknown> {
  const uri = circuitUri();
  return checks.recheckFailed(uri !== undefined && model.file(uri) !== undefined ? uri : undefined);
}

function inFile(editor: TextEditor): protocol.PropertyParams {
  return { uri: editor.document.uri.toString() };
}

/** What is at the cursor, or the property that the active page is about. */
function atCursor(editor: TextEditor): protocol.PropertyParams {
  const { uri, property } = activeSubject() ?? {};
  if (uri !== undefined && property !== undefined) return { uri, property };
  const { line, character } = editor.selection.active;
  return { ...inFile(editor), position: { line, character } };
}
