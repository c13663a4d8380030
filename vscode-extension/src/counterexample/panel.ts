// The trace panel: one for each property whose counterexample is looked at. It
// asks the server for the signals, shares the step with the text, and goes to
// places; all drawing is done by the page within it (webview/).
import { type CancellationToken, commands, Disposable, type Memento, ProgressLocation, type TextDocumentContentChangeEvent, type TextEditor, Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import type { Location, Position } from 'vscode-languageclient';
import type { CircuitView, Player } from '../circuit/view';
import { isAbout, partsOf } from '../pages';
import { circuitEditor, documentUri, fileName, reveal } from '../places';
import * as protocol from '../protocol';
import type { Radices } from '../radices';
import { Refusal } from '../refusal';
import type { Server } from '../server';
import type { StatusModel } from '../status';
import { askForValue, mostRandom } from './changes';
import { pageHtml } from './html';
import { type Listed, listedOf, withListed } from './listed';
import type { Action, FromPage, PagePlay, PageRuns, PageState, PlayMove, PropertyRef, ToPage } from './messages';
import { Remembered } from './remembered';
import { Searches } from './searches';
import { atCursor, chooseProperty, type Steps } from './steps';
import { type Edit, movePosition, moveLocation } from './tracked';
import { tell } from '../telling';

const viewType = 'aiglens.trace';
const mostRounds = 1000; // that the server answers with
const searchWords = {
  another: 'Looking for another run…',
  shortest: 'Looking for the shortest run…',
  first: 'Showing the first run…',
  check: 'Checking the property…',
};
const settled = 300; // milliseconds without news before the signals are asked for again

/** What a button of the page does elsewhere. */
export type Actions = Record<Exclude<Action, 'add' | 'debug'>, (about: PropertyRef) => unknown> & {
  /** Absent where there is no debugger. */
  debug?(about: PropertyRef): unknown;
  /** Export of a run of no property. */
  exportRun?(uri: string, run: protocol.PlayedRun): unknown;
};

export class Panels {
  private readonly open = new Map<string, Panel>();
  private readonly listeners: Disposable;
  private readonly remembered: Remembered;
  /** The editor with a circuit that was last active: a panel takes its place as the active one. */
  private lastEditor: TextEditor | undefined;

  constructor(
    private readonly extension: Uri,
    private readonly server: Pick<Server, 'execute'>,
    private readonly model: StatusModel,
    private readonly steps: Steps,
    private readonly circuit: CircuitView,
    private readonly actions: Actions,
    workspaceState: Memento,
    private readonly radices: Pick<Radices, 'of' | 'choose' | 'onDidChange'>,
  ) {
    this.remembered = new Remembered(workspaceState);
    this.lastEditor = window.activeTextEditor;
    this.listeners = Disposable.from(
      window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: async (webview, state: PageState | undefined) => {
          if (state?.uri) this.adopt(webview, state, state.run === undefined ? undefined : { run: state.run });
          else webview.dispose();
        },
      }),
      window.onDidChangeActiveTextEditor((editor) => (this.lastEditor = editor ?? this.lastEditor)),
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.each((panel) => panel.followSelection(textEditor))),
      steps.onDidChange((shown) => this.each((panel) => panel.followStep(shown))),
      model.onDidChange(({ uri }) => this.each((panel) => panel.followStatus(uri))),
      radices.onDidChange((uri) => this.each((panel) => panel.followRadices(uri))),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => this.each((panel) => panel.followEdit(document.uri.toString(), contentChanges))),
    );
  }

  /** The panel of a property, if it is open. */
  of({ uri, property }: PropertyRef): Panel | undefined {
    return this.open.get(`${uri} ${property}`);
  }

  async show(about: PropertyRef | undefined): Promise<void> {
    const chosen = about ?? (await chooseProperty(this.model, this.steps, circuitEditor()));
    if (chosen === undefined) return;
    const there = this.of(chosen);
    if (there !== undefined) return there.reveal();
    const { column, isBelow } = await freeColumn();
    const panel = this.adopt(window.createWebviewPanel(viewType, 'Counterexample', column, {}), chosen);
    panel.isBelow = isBelow;
    panel.focus();
  }

  /** Shows a run of no property in a panel of its own: a given one, or one that begins. */
  async play(uri: string, begin: Begin): Promise<Panel> {
    let number = 1;
    while (this.of({ uri, property: `play:${number}` }) !== undefined) number++;
    this.steps.clear(uri);
    const { column, isBelow } = this.open.size > 0 ? { column: ViewColumn.Active, isBelow: false } : await freeColumn();
    const panel = this.adopt(window.createWebviewPanel(viewType, 'Run', column, {}), { uri, property: `play:${number}` }, begin);
    panel.isBelow = isBelow;
    panel.focus();
    return panel;
  }

  /** What plays the counterexample of a property: its panel, which is opened where it is not, or another one where that plays a run of the user. */
  async player(about: PropertyRef): Promise<Player | undefined> {
    if (this.of(about) === undefined) await this.show(about);
    const own = this.of(about);
    await own?.rest();
    const panel = own?.isPlaying === true ? await this.play(about.uri, { property: about.property }) : own;
    await panel?.rest();
    return panel?.player;
  }

  /** Shows what is at the cursor of the editor in the panel of its property. */
  async add(editor: TextEditor | undefined): Promise<void> {
    const from = editor ?? this.lastEditor;
    if (from === undefined) return;
    const { uri, position } = atCursor(from);
    const panel = [...this.open.values()].find((one) => one.about.uri === uri);
    if (panel !== undefined) {
      await panel.add(position);
      return;
    }
    const about = await chooseProperty(this.model, this.steps, from);
    if (about === undefined) return;
    await this.show(about);
    await this.of(about)?.add(position);
  }

  dispose(): void {
    this.listeners.dispose();
    this.each((panel) => panel.dispose());
  }

  private adopt(webview: WebviewPanel, { uri, property }: PropertyRef, begin?: Begin): Panel {
    const about = { uri, property };
    const { server, model, steps, circuit, actions, remembered, radices } = this;
    const renew = () => this.each((one) => one.about.uri === uri && one.renew());
    const hide = (by: Panel) => this.each((one) => one.about.uri === uri && one !== by && one.showHidden());
    const panel = new Panel(webview, about, { server, model, steps, circuit, actions, remembered, radices, add: () => this.add(undefined), renew, hide, play: (started) => this.play(uri, started) }, begin);
    this.open.set(`${uri} ${property}`, panel);
    isAbout(webview, () => (property.startsWith('play:') ? { uri } : about));
    webview.onDidDispose(() => {
      this.open.delete(`${uri} ${property}`);
      panel.dispose();
    });
    webview.webview.html = pageHtml(partsOf(webview.webview, this.extension, 'trace'));
    return panel;
  }

  private each(run: (panel: Panel) => void): void {
    for (const panel of this.open.values()) run(panel);
  }
}

interface Around {
  server: Pick<Server, 'execute'>;
  model: StatusModel;
  steps: Steps;
  circuit: CircuitView;
  actions: Actions;
  remembered: Remembered;
  radices: Pick<Radices, 'of' | 'choose'>;
  add(): unknown;
  /** Has the panels of the file ask for their signals again. */
  renew(): void;
  /** Has the other panels of the file show what is hidden now. */
  hide(by: Panel): void;
  play(begin: Begin): Promise<unknown>;
}

/** What a run begins as: one that was kept, one from reset, or the steps of a counterexample. */
export type Begin = Pick<protocol.PlayParams, 'run' | 'property' | 'change'>;

export class Panel {
  /** What the page has said that it shows. */
  shown: Extract<FromPage, { type: 'shown' }> | undefined;
  /** It was opened in a group of its own below the text. */
  isBelow = false;
  trace: protocol.Trace | undefined;
  private locations: (Location | null)[] = [];
  /** Of signals that the user has added, in the present text. */
  private added: Position[] = [];
  /** The next answer has a signal more, which is then selected. */
  private addedLast = false;
  /** An expression that was typed, to be selected when it comes. */
  private typed: string | undefined;
  /** Of a loop that are asked for. */
  private rounds = 1;
  private timer: NodeJS.Timeout | undefined;
  private ready = false;
  private disposed = false;
  /** The page takes the keyboard once it is ready. */
  private focuses = false;
  /** Settled once there is something to show, or none, or no answer. */
  private readonly loading: Promise<void>;
  private loaded: () => void = () => undefined;
  /** What the server need not send again of the signals of the run. */
  private listed: Listed | undefined;
  /** Changes of a run, one after the other, so that each is one of the run before. */
  private playing: Promise<void> = Promise.resolve();
  private readonly searches = new Searches((buttons, words) => this.send({ type: 'searching', buttons, words }));

  constructor(
    private readonly panel: WebviewPanel,
    readonly about: PropertyRef,
    private readonly around: Around,
    /** The run that is played; undefined while the panel shows a counterexample. */
    private played: Begin | undefined = undefined,
  ) {
    this.loading = new Promise((resolve) => (this.loaded = resolve));
    panel.onDidChangeViewState(() => panel.active && this.clearText());
    panel.title = fileName(about.uri);
    panel.webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
  }

  /** While a run is played that is looked at, the text claims no values of another one. */
  private clearText(): void {
    if (this.played !== undefined) this.around.steps.clear(this.about.uri);
  }

  get visible(): boolean {
    return this.panel.visible;
  }

  /** What plays and changes the run of the panel. */
  get player(): Player {
    const show = (step: number) => {
      if (this.played?.run !== undefined && step < this.played.run.steps) this.send({ type: 'step', step });
    };
    return { panel: this, uri: this.about.uri, show, change: (change, name) => this.change(change, name) };
  }

  /** It shows a run, and no counterexample. */
  get isPlaying(): boolean {
    return this.played !== undefined;
  }

  /** Waits until what was asked for first is there, and what has been changed since. */
  async rest(): Promise<void> {
    await this.loading;
    await this.playing;
  }

  private async change(change: protocol.RunChange, name: string): Promise<protocol.PlayedRun | undefined> {
    if (this.trace === undefined) throw new Refusal('the trace panel has no run to change');
    if (this.trace.stale) throw new Refusal('the text has changed since this run was found');
    const before = this.played?.run;
    await (change.kind === 'until' ? this.until(change, name) : this.whatIf(change));
    return this.played?.run === before ? undefined : this.played?.run;
  }

  reveal(): void {
    this.panel.reveal(undefined, false);
    this.focus();
  }

  /** Leads the keyboard to the waves. */
  focus(): void {
    this.focuses = !this.ready;
    if (this.ready) this.send({ type: 'focus' });
  }

  async add(position: Position): Promise<void> {
    this.added.push(position);
    this.addedLast = true;
    if (this.ready) await this.ask();
  }

  /** Asks for the signals again. */
  renew(): void {
    if (this.ready) void this.ask();
  }

  /** Shows which signals are hidden, where another panel has changed that. */
  showHidden(): void {
    if (this.ready) this.send({ type: 'hidden', hidden: this.around.remembered.hidden(this.about.uri) });
  }

  followStep({ uri, property, step }: protocol.ShownStep): void {
    if (uri !== this.about.uri || property !== this.about.property || this.played !== undefined) return;
    const missing = this.roundsMissing(step);
    if (missing === 0) return this.send({ type: 'step', step });
    this.askForRounds(missing);
    this.renew();
  }

  private askForRounds(more: number): void {
    // Those that were asked for may not have come yet.
    this.rounds = Math.min(Math.max(this.trace?.rounds ?? 1, this.rounds) + more, mostRounds);
  }

  /** How many rounds of the loop there would have to be more, so that a step is shown. */
  private roundsMissing(step: number): number {
    const { steps = 0, loop = 0, stale = true } = this.trace ?? {};
    return loop === 0 || stale || step < steps ? 0 : Math.ceil((step + 1 - steps) / loop);
  }

  followRadices(uri: string): void {
    if (uri === this.about.uri && this.ready) this.send({ type: 'chosen', chosen: this.around.radices.of(uri) });
  }

  followStatus(uri: string): void {
    if (uri !== this.about.uri || !this.ready) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), settled);
  }

  followEdit(uri: string, edits: readonly TextDocumentContentChangeEvent[]): void {
    if (edits.length === 0) return;
    this.locations = this.locations.map((location) => moveLocation(location, uri, edits));
    if (uri === this.about.uri && this.played !== undefined) this.followStatus(uri); // files without properties have no status
    if (uri === this.about.uri) this.added = this.added.flatMap((position) => movedBy(edits, position) ?? []);
  }

  /** Selects the signal that the cursor of an editor is on. */
  followSelection(editor: TextEditor): void {
    if (this.trace === undefined || editor.document.uri.toString() !== this.about.uri) return;
    const { line, character } = editor.selection.active;
    const word = editor.document.getWordRangeAtPosition(editor.selection.active);
    const name = word === undefined ? undefined : editor.document.getText(word);
    const named = this.trace.signals.findIndex((signal) => signal.name === name);
    const placed = this.locations.findIndex((location) => {
      if (location === null || location.uri !== this.about.uri) return false;
      const { start, end } = location.range;
      return start.line === line && start.character <= character && (end.line > line || character <= end.character);
    });
    const signal = named >= 0 ? named : placed;
    if (signal >= 0) this.send({ type: 'select', signal });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposed = true;
    this.loaded();
    this.stopPlaying();
    this.panel.dispose();
  }

  private stopPlaying(): void {
    this.played = undefined;
    this.around.circuit.forgetRun(this);
  }

  private send(message: ToPage): void {
    if (this.disposed) return; // VS Code throws then
    void this.panel.webview.postMessage(message);
  }

  /** Has the panel stand beside the text where little room is left below it. */
  private async makeRoom({ signals, room }: Extract<FromPage, { type: 'shown' }>): Promise<void> {
    if (!this.isBelow || room >= fewSignals || signals <= room || window.tabGroups.all.length !== 2) return;
    await commands.executeCommand('workbench.action.toggleEditorGroupLayout');
  }

  private async receive(message: FromPage): Promise<void> {
    const { steps, actions } = this.around;
    switch (message.type) {
      case 'ready':
        this.ready = true;
        this.trace = undefined;
        if (this.focuses) this.focus();
        this.searches.showAgain();
        return this.ask();
      case 'shown':
        if (this.shown === undefined) void this.makeRoom(message);
        this.shown = message;
        return;
      case 'step':
        if (this.trace?.stale === false && this.played === undefined) steps.follow({ ...this.about, to: `${message.step}` });
        return;
      case 'go': {
        const location = this.locations[message.signal];
        if (location != null) await reveal(location.uri, location.range, !message.focus);
        const instance = this.trace?.signals[message.signal]?.scope?.join('/');
        if (instance !== undefined && this.trace?.stale === false && this.played === undefined) steps.enter(this.about, instance);
        return;
      }
      case 'flip': {
        const signal = this.trace?.signals[message.signal]?.signal;
        if (signal === undefined || this.trace?.stale === true) return;
        return this.whatIf({ kind: 'flip', signal, step: message.step });
      }
      case 'set': {
        const word = this.trace?.words?.[message.word];
        if (word === undefined || this.trace?.stale === true) return;
        const value = await askForValue({ name: word.name, names: word.values?.map(({ name }) => name) ?? [] }, `in step ${message.step}`, message.value);
        if (value === undefined || this.trace?.stale !== false) return;
        return this.whatIf({ kind: 'set', word: word.name, step: message.step, value });
      }
      case 'play':
        await this.move(message.move, message.step, message.signal);
        return;
      case 'why':
        return this.refusable(() => this.why(message.signal, message.step));
      case 'expression': {
        this.typed = message.text;
        const { remembered, renew } = this.around;
        await remembered.putExpression(this.about.uri, message.text, message.instead);
        return renew();
      }
      case 'round':
        this.askForRounds(1);
        return this.ask();
      case 'radix':
        return this.around.remembered.putRadix(message.radix);
      case 'wordRadix':
        return this.around.radices.choose(this.about.uri, message.word, message.radix);
      case 'hide':
        await this.around.remembered.putHidden(this.about.uri, message.hidden);
        return this.around.hide(this);
      case 'remove': {
        const signal = this.trace?.signals[message.signal];
        if (signal?.group === 'expressions') {
          await this.around.remembered.removeExpression(this.about.uri, signal.name);
          return this.around.renew();
        }
        // The chosen signals stand in the answer in the order of the positions.
        const gates = this.trace?.signals.flatMap(({ group }, index) => (group === 'gates' ? [index] : [])) ?? [];
        const at = gates.indexOf(message.signal);
        if (at >= 0) this.added = this.added.filter((_, index) => index !== at);
        return this.ask();
      }
      case 'action':
        if (this.played?.run !== undefined && message.action === 'export') {
          const { run } = this.played;
          return this.refusable(async () => actions.exportRun?.(this.about.uri, run));
        }
        if (message.action === 'add') await this.refusable(async () => this.around.add());
        else await this.act(message.action);
    }
  }

  private async act(action: Exclude<Action, 'add'>): Promise<void> {
    const run = () => this.refusable(async () => this.around.actions[action]?.(this.about));
    switch (action) {
      case 'another':
      case 'shortest':
      case 'first':
      case 'check':
        return this.searches.run(action, searchWords[action], run);
      default:
        return run();
    }
  }

  private async refusable(run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      void tell('warning', error.message);
    }
  }

  /** Changes the run that is played; a counterexample becomes one. */
  private whatIf(change: protocol.RunChange, token?: CancellationToken): Promise<void> {
    this.played ??= { property: this.about.property };
    return this.simulate(change, token);
  }

  /** Adds random steps up to the first in which something holds, which can be stopped. */
  private until(change: protocol.RunChange, name: string): Promise<void> {
    const title = `Looking for a step in which ${name} ${change.expression === undefined ? 'is 1' : 'holds'}`;
    const run = async () => window.withProgress({ location: ProgressLocation.Notification, cancellable: true, title }, (_, token) => this.whatIf(change, token));
    return this.searches.run('play-until', `${title}…`, run);
  }

  private move(move: PlayMove, step: number, signal: number | undefined): Promise<unknown> {
    switch (move) {
      case 'add':
        return this.simulate({ kind: 'add', steps: 1 });
      case 'random':
        return this.simulate({ kind: 'random', steps: 10 });
      case 'cut':
        return this.simulate({ kind: 'cut', step });
      case 'reset':
      case 'carry':
        return this.simulate({ kind: move });
      case 'until': {
        const at = signal === undefined ? undefined : this.trace?.signals[signal];
        if (at === undefined) return Promise.resolve();
        return this.until({ kind: 'until', ...(at.group === 'expressions' ? { expression: at.name } : { signal: at.signal }), steps: mostRandom }, at.name);
      }
      case 'on': {
        const { run, property } = this.played ?? { property: this.about.property };
        return this.around.play({ ...(run === undefined ? { property: property! } : { run }), change: { kind: 'cut', step } });
      }
      case 'back':
        this.stopPlaying();
        this.trace = undefined;
        return this.ask();
    }
  }

  /** Shows why a signal has its value at a step, where the text defines it: the row of a property may have several signals. */
  private async why(index: number, step: number): Promise<void> {
    const { signal, scope } = this.trace?.signals[index] ?? {};
    if (signal === undefined) return;
    if (this.trace?.stale === true) {
      void tell('information', 'the text has changed since this run was found. Check the property again, or play the run on the present text.');
      return;
    }
    const { server, steps, circuit } = this.around;
    const { uri } = this.about;
    const run = this.played?.run;
    const cause = await (run === undefined ? server.execute(protocol.why, { ...this.about, signal, step, depth: 1 }) : server.execute(protocol.playWhy, { uri, run, signal, step, depth: 1 }));
    const at = cause?.location && { ...cause.location, uri: documentUri(cause.location.uri).toString() };
    if (at === null) {
      void tell('information', 'the present text does not define this signal.');
    } else if (at !== undefined && run !== undefined && this.played?.run === run) {
      await circuit.lookAtRun({ ...this.player, run }, step, at);
    } else if (at !== undefined && run === undefined) {
      const instance = scope?.join('/');
      await steps.show({ ...this.about, to: `${step}`, ...(instance === undefined ? {} : { instance }) });
      await circuit.lookAt('now', at);
    }
  }

  /** Changes the run, once the changes before are made; without one it is simulated again. */
  private simulate(change?: protocol.RunChange, token?: CancellationToken): Promise<void> {
    this.playing = this.playing.then(() => this.simulateNow(change, token));
    return this.playing;
  }

  private async simulateNow(change: protocol.RunChange | undefined, token: CancellationToken | undefined): Promise<void> {
    const { played, about } = this;
    if (played === undefined) return;
    try {
      await workspace.openTextDocument(documentUri(about.uri));
      // What begins has its change once; the first change of a counterexample is that of the user.
      const { listed } = this;
      const asked = { uri: about.uri, ...played, ...(change === undefined ? {} : { change }), ...this.chosen(), ...(listed === undefined ? {} : { listed: listed.list }) };
      const found = await this.around.server.execute(protocol.play, asked, token);
      if (found === undefined || this.played !== played) return;
      const answer = withListed(listed, found);
      this.listed = listedOf(answer);
      this.played = { run: answer.run };
      if (played.run === undefined) this.clearText(); // before, the counterexample may be what stays
      this.around.circuit.followRun(this, answer.run);
      const { words, outcome, run } = answer;
      const origin = run.property === undefined || this.about.property.startsWith('play:') ? {} : { origin: run.property };
      if (answer.trace !== undefined) this.take(answer.trace, { words, outcome, ...origin });
      else this.outdate(run);
    } catch (error) {
      if (played.run === undefined && this.trace !== undefined) this.played = undefined; // it is the counterexample still
      if (token?.isCancellationRequested === true) return;
      const message = error instanceof Error ? error.message : String(error);
      if (this.trace === undefined) this.nothing(sentence(message));
      else void tell('warning', message);
    }
  }

  /** Says that the run is about an earlier text; of one that came with the window its inputs are what there is. */
  private outdate(run: protocol.PlayedRun): void {
    if (this.trace === undefined) {
      const signals = [...run.inputs, ...run.latches].map(({ name, values }, index): protocol.TraceSignal => ({ group: index < run.inputs.length ? 'inputs' : 'latches', name, signal: 0, values: values.padEnd(run.steps, 'x'), relevant: true, location: null }));
      this.take({ uri: this.about.uri, name: 'Run', steps: run.steps, step: null, stale: true, version: 0, signals, more: 0, others: false }, { words: '', outcome: 'open' });
      return;
    }
    this.trace.stale = true;
    this.send({ type: 'places', stale: true, inText: this.trace.signals.map(({ group }, index) => group === 'expressions' || this.locations[index] !== null) });
  }

  /** The signals that are shown beside those that a run has anyway. */
  private chosen(): Pick<protocol.PlayParams, 'positions' | 'expressions'> {
    const expressions = this.around.remembered.expressions(this.about.uri);
    return { ...(this.added.length > 0 ? { positions: this.added } : {}), ...(expressions.length > 0 ? { expressions } : {}) };
  }

  private async ask(): Promise<void> {
    try {
      await (this.played === undefined ? this.askForTrace() : this.simulate());
    } finally {
      this.loaded();
    }
  }

  private async askForTrace(): Promise<void> {
    try {
      // The server knows files that are open.
      await workspace.openTextDocument(documentUri(this.about.uri));
      const answer = await this.around.server.execute(protocol.trace, { ...this.about, ...this.chosen(), ...(this.rounds > 1 ? { rounds: this.rounds } : {}) });
      if (answer === undefined) return;
      this.take(answer);
      // The step that the text shows may lie in a later round.
      const missing = answer.step === null ? 0 : this.roundsMissing(answer.step);
      if (missing > 0 && this.rounds < mostRounds) {
        this.askForRounds(missing);
        await this.ask();
      }
    } catch (error) {
      if (this.trace === undefined) {
        this.nothing(error instanceof Error ? sentence(error.message) : String(error));
        return;
      }
      // The server no longer has it, because the text has changed: it stays in view, marked as earlier.
      this.trace.stale = true;
      this.send({ type: 'places', stale: true, inText: this.trace.signals.map(({ group }, index) => group === 'expressions' || this.locations[index] !== null) });
    }
  }

  private nothing(message: string): void {
    this.send({ type: 'nothing', message });
  }

  private take(answer: protocol.Trace, play?: PagePlay): void {
    const { trace } = this;
    // The server does not look for chosen signals in an earlier text.
    if (answer.stale && trace?.version === answer.version) {
      answer.signals.push(...trace.signals.filter(({ group }) => group === 'gates').map((signal) => ({ ...signal, location: null })));
    }
    const same = play === undefined && trace !== undefined && trace.version === answer.version && trace.steps === answer.steps && sameSignals(trace, answer);
    this.trace = answer;
    this.locations = answer.signals.map(({ location }) => location && { ...location, uri: documentUri(location.uri).toString() });
    if (!answer.stale) this.keepFound(answer);
    this.panel.title = `${answer.name} · ${fileName(this.about.uri)}`;
    const inText = answer.signals.map(({ group, location }) => group === 'expressions' || location !== null);
    if (same) {
      this.send({ type: 'places', stale: answer.stale, inText, ...runsOf(answer) });
      return;
    }
    const signals = answer.signals.map(({ group, name, values, relevant, formula, error, settable, scope, local }, index) => ({
      ...{ group, name, values, relevant, inText: inText[index]! },
      ...(formula === undefined ? {} : { formula }),
      ...(error === undefined ? {} : { error }),
      ...(settable === undefined ? {} : { settable }),
      ...(scope === undefined ? {} : { scope }),
      ...(local === undefined ? {} : { local }),
    }));
    const { radix } = this.around.remembered;
    const hidden = this.around.remembered.hidden(this.about.uri);
    const chosen = this.around.radices.of(this.about.uri);
    const { name, steps, stale, more, loop = 0, rounds = 0 } = answer;
    const repeats = loop > 0 ? { loop, rounds } : {};
    const reaches = play?.outcome === 'reaches' || (play === undefined && this.about.property.startsWith('cover:')) ? { reached: true as const } : {};
    this.send({ type: 'trace', about: this.about, trace: { name, file: fileName(this.about.uri), steps, ...repeats, ...reaches, stale, ...(play === undefined ? {} : { play }), signals, ...(answer.words === undefined ? {} : { words: answer.words }), more }, ...runsOf(answer), step: answer.step, ...(this.around.actions.debug === undefined ? { noDebugger: true } : {}), ...(this.played?.run === undefined ? {} : { run: this.played.run }), ...(radix === undefined ? {} : { radix }), ...(chosen.length === 0 ? {} : { chosen }), ...(hidden.length === 0 ? {} : { hidden }) });
    const added = this.addedLast
      ? answer.signals.findLastIndex(({ group }) => group === 'gates')
      : answer.signals.findIndex(({ group, name: text }) => group === 'expressions' && text === this.typed);
    if (added >= 0) this.send({ type: 'select', signal: added });
    this.addedLast = false;
    this.typed = undefined;
  }

  /** Keeps the positions of the signals that were found, so that each is one signal of the answer. */
  private keepFound({ signals }: protocol.Trace): void {
    const gates = signals.filter(({ group }) => group === 'gates');
    const unique = new Map(gates.map((signal) => [signal.signal, signal]));
    if (gates.length === this.added.length && unique.size === gates.length) return;
    const missing = this.added.length - gates.length;
    this.added = [...unique.values()].flatMap(({ location }) => (location === null ? [] : [location.range.start]));
    if (missing > 0) void tell('information', 'this counterexample has no value for what is at the cursor.');
    if (unique.size < gates.length) void this.ask();
  }
}

/** Waves are wide: they stand below the text where nothing is beside it yet, and where enough of the text stays in view. */
async function freeColumn(): Promise<{ column: ViewColumn; isBelow: boolean }> {
  const isBelow = window.tabGroups.all.length === 1 && !showsFewRows(circuitEditor());
  if (isBelow) await commands.executeCommand('workbench.action.newGroupBelow');
  return { column: isBelow ? ViewColumn.Active : ViewColumn.Beside, isBelow };
}

/** Signals in view for which a panel may stay below the text. */
const fewSignals = 8;

const fewRows = 32;

/** Whether half of an editor's height would leave too little of its text. VS Code tells the rows in view, and no heights. */
export function showsFewRows(editor: Pick<TextEditor, 'document' | 'visibleRanges'> | undefined): boolean {
  const [first, last] = [editor?.visibleRanges[0], editor?.visibleRanges.at(-1)];
  if (editor === undefined || first === undefined || last === undefined) return false;
  const rows = last.end.line - first.start.line + 1;
  return rows < fewRows && rows < editor.document.lineCount;
}

function runsOf({ others, among }: protocol.Trace): { runs?: PageRuns } {
  if (!others && among === undefined) return {};
  return { runs: { ...(others ? { others } : {}), ...(among === undefined ? {} : { among }) } };
}

function sameSignals(a: protocol.Trace, b: protocol.Trace): boolean {
  return a.signals.length === b.signals.length && a.signals.every(({ name, values, error }, index) => name === b.signals[index]!.name && values === b.signals[index]!.values && error === b.signals[index]!.error);
}

function movedBy(edits: readonly Edit[], position: Position): Position | undefined {
  return edits.reduce<Position | undefined>((at, edit) => at && movePosition(at, edit), position);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
