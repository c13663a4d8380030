// The Circuit view: what there is to know of the place of the cursor. It follows the cursor, asks the
// server, and passes on what is clicked; the page draws (webview/). Only the newest answer is shown.
import { CancellationTokenSource, commands, Disposable, type Memento, type TextDocument, type TextEditor, type Uri, window, workspace } from 'vscode';
import type { Location, Position, Range } from 'vscode-languageclient';
import { askForValue, mostRandom } from '../counterexample/changes';
import type { PropertyRef } from '../counterexample/messages';
import { atCursor, type Steps } from '../counterexample/steps';
import { type Edit, movePosition } from '../counterexample/tracked';
import { isCircuit, isClauses } from '../formats';
import { documentUri, fileName, reveal } from '../places';
import * as protocol from '../protocol';
import type { Radices, Radix } from '../radices';
import { Refusal } from '../refusal';
import { pictureOf } from '../schematic/schematic';
import type { Server } from '../server';
import type { StatusModel } from '../status';
import { tell } from '../telling';
import { type CauseTree, causeTrees, type Choice, type FromPage, type Grown, type MoreCauses, type Question, type Section, sections, type Shown } from './messages';
import { Pages } from './pages';

const foldedKey = 'aiglens.circuit.folded';
const unsettled = 250; // milliseconds until a place is asked for again of which not all is known yet
const together = 60; // milliseconds in which news of a file is asked about once

type Place = Required<Pick<protocol.PropertyParams, 'uri' | 'position'>>;

/** What is asked beyond the place: of another place nothing. */
type Asked = Partial<Pick<protocol.AtParams, 'depth' | Choice>>;

/** A click in an answer. */
type Click = Extract<FromPage, { of: number }>;

/** A panel that plays a run, or can play one. */
export interface Player {
  readonly panel: object;
  readonly uri: string;
  /** Has the panel show a step. */
  readonly show: (step: number) => void;
  /** Has it change its run, which a counterexample becomes first; undefined where there is no other run then. */
  readonly change: (change: protocol.RunChange, name: string) => Promise<protocol.PlayedRun | undefined>;
}

/** A run that is played, and the panel that plays it. */
export interface PlayedIn extends Player {
  /** The run as the panel has it now. */
  run: protocol.PlayedRun;
}

/** Two texts that stand side by side, with a run that tells them apart. */
export interface Comparing {
  readonly about: { readonly document: Pick<TextDocument, 'uri'>; readonly run: Pick<protocol.ComparedRun, 'id'> } | undefined;
  readonly step: number;
  goTo(step: number): void;
}

/** The run of a difference, over the circuit of a file. */
interface Compared {
  readonly uri: string;
  readonly id: string;
  readonly step: number;
  /** What was shown of a counterexample when this came. */
  readonly before: protocol.ShownStep | undefined;
  readonly goTo: (step: number) => void;
}

export class CircuitView {
  /** What is shown; undefined where that is nothing, or not known yet. */
  shown: Shown | undefined;
  isPinned = false;
  private readonly pages: Pages;
  private place: Place | undefined;
  private asked: Asked = {};
  private cone = 1;
  /** All that the proof of the property says is listed. */
  private listsProof = false;
  /** Set while values are those of a run that is played. */
  private played: { in: PlayedIn; step: number } | undefined;
  /** Set while values are those of a difference, unless a run is played. */
  private compared: Compared | undefined;
  /** A run is being changed: a second click is about the run before. */
  private isChanging = false;
  /** Places that links of the page have left. */
  private trail: Place[] = [];
  /** Of the answer that is shown: what is clicked in an earlier one means another thing. */
  private count = 0;
  /** Ends what was asked last; undefined once that is answered. */
  private asking: CancellationTokenSource | undefined;
  /** What is asked may have another answer by now. */
  private hasNews = false;
  private timer: NodeJS.Timeout | undefined;
  /** When it ends. */
  private due: number | undefined;
  /** What is to be in view once it is there, unless all is known of the place and it is not. */
  private look: Section | undefined;
  private readonly listeners: Disposable;

  constructor(
    extension: Uri,
    private readonly server: Pick<Server, 'running' | 'request' | 'execute' | 'onDidChangeState'>,
    private readonly model: StatusModel,
    private readonly steps: Steps,
    private readonly state: Memento,
    /** What plays the counterexample of a property that is changed. */
    private readonly playerOf: (about: PropertyRef) => Promise<Player | undefined>,
    private readonly radices: Pick<Radices, 'ofWord' | 'choose' | 'onDidChange'>,
  ) {
    this.pages = new Pages(extension, { shown: () => this.filled(), received: (message) => this.receive(message), subject: () => this.place });
    const news = ({ uri }: { uri: string }, pause: number) => {
      if (uri === this.place?.uri) this.askAgain(pause);
    };
    this.listeners = Disposable.from(
      this.pages,
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
      window.onDidChangeActiveTextEditor((editor) => this.follow(editor)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => this.edited(document.uri.toString(), contentChanges)),
      workspace.onDidCloseTextDocument((document) => this.closed(document)),
      steps.onDidChange((step) => {
        this.leaveOtherRuns(step);
        news(step, 0);
      }),
      model.onDidChange((change) => news(change, together)),
      radices.onDidChange((uri) => news({ uri }, 0)),
      server.onDidChangeState(() => this.stopAndAsk()),
    );
  }

  /** Shows the view; where it is in view already, keeps the place that it shows, or follows the cursor again. */
  async toggle(): Promise<void> {
    if (this.pages.areVisible) this.pin(!this.isPinned);
    else await this.pages.show();
  }

  openBeside(): void {
    this.pages.showBeside();
  }

  /** Shows what is at the cursor, or where it is led to, with one part in view. */
  async lookAt(section: Section, at?: Location, { property, played }: { property?: protocol.PropertyID; played?: NonNullable<CircuitView['played']> } = {}): Promise<void> {
    this.isPinned = false;
    this.played = played;
    if (section === 'now' && played === undefined) this.compared = undefined;
    if (at !== undefined) await this.revealStart(at, false);
    else this.follow(window.activeTextEditor);
    this.look = section;
    if (property !== undefined) this.asked = { ...this.asked, property };
    this.tellState();
    await this.pages.show();
    this.stopAndAsk();
  }

  /** Shows why a signal has its value at a step of a run that is played. */
  async lookAtRun(played: PlayedIn, step: number, at: Location): Promise<void> {
    await this.lookAt('now', at, { played: { in: played, step } });
  }

  /** Shows all that the proof of a property says. */
  async lookAtProof(at: Location, property: protocol.PropertyID): Promise<void> {
    await this.lookAt('property', at, { property });
    this.listsProof = true;
  }

  /** A panel plays another run. */
  followRun(panel: object, run: protocol.PlayedRun): void {
    if (this.played?.in.panel !== panel || this.played.in.run === run) return;
    this.played.in.run = run;
    this.stopAndAsk();
  }

  /** A panel no longer plays its run. */
  forgetRun(panel: object): void {
    if (this.played?.in.panel !== panel) return;
    this.played = undefined;
    this.stopAndAsk();
  }

  /** Texts stand side by side with another run, or another step of it, or do so no more. */
  followComparison(comparing: Comparing): void {
    const { about, step } = comparing;
    const before = this.compared;
    this.compared = undefined;
    if (about?.run.id !== undefined) {
      const uri = about.document.uri.toString();
      this.compared = { uri, id: about.run.id, step, before: this.steps.shownIn(uri), goTo: (to) => comparing.goTo(to) };
      if (this.played?.in.uri === uri) this.played = undefined;
    }
    const { place } = this;
    if (place !== undefined && [before, this.compared].some((one) => one?.uri === place.uri)) this.stopAndAsk();
  }

  /** What is shown last is looked at: another step of a counterexample takes the place of other runs. */
  private leaveOtherRuns({ uri, property, step }: protocol.ShownStep): void {
    const { played, compared } = this;
    if (property === undefined) return;
    if (uri === played?.in.uri) this.played = undefined;
    const isNew = property !== compared?.before?.property || step !== compared?.before?.step; // else a check has ended
    if (uri === compared?.uri && isNew) this.compared = undefined;
    const isOther = played !== this.played || compared !== this.compared;
    if (isOther && uri === this.place?.uri) this.stop(); // what is on its way is about that run
  }

  dispose(): void {
    this.stop();
    this.listeners.dispose();
  }

  /** A page is there, or in view again. */
  private filled(): void {
    this.tellState();
    if (this.place === undefined) this.follow(window.activeTextEditor);
    this.askAgain(0);
  }

  /** Verilog is followed once it is checked. */
  private isFollowed(document: TextDocument): boolean {
    return isCircuit(document) || isClauses(document) || this.model.file(document.uri.toString()) !== undefined;
  }

  private follow(editor: TextEditor | undefined): void {
    if (editor === undefined || this.isPinned || !this.isFollowed(editor.document)) return;
    if (window.activeTextEditor !== undefined && editor !== window.activeTextEditor) return;
    this.goTo(atCursor(editor));
  }

  private goTo(place: Place): void {
    if (isSame(this.place, place)) return;
    this.place = place;
    this.asked = {};
    this.cone = 1;
    this.listsProof = false;
    this.look = undefined;
    this.stop();
    this.pages.send({ type: 'moved', isSame: false });
    this.askSoon(0);
  }

  private edited(uri: string, edits: readonly Edit[]): void {
    if (edits.length === 0) return;
    const moved = (place: Place) => (place.uri === uri ? movePlace(place, edits) : place);
    this.leaveOnTrail(this.trail.flatMap((place) => moved(place) ?? []));
    if (this.place?.uri !== uri) return;
    const place = moved(this.place);
    // Where the place is gone, the cursor says what is shown next.
    if (place !== undefined) this.place = place;
    else if (this.isPinned) this.pin(false);
    this.stopAndAsk();
  }

  private leaveOnTrail(places: Place[]): void {
    const areFewer = places.length < this.trail.length;
    this.trail = places;
    if (areFewer) this.tellState();
  }

  private closed(document: TextDocument): void {
    this.leaveOnTrail(this.trail.filter(({ uri }) => uri !== document.uri.toString()));
    if (document.uri.toString() !== this.place?.uri) return;
    this.place = this.played = undefined;
    this.isPinned = false;
    this.stop();
    this.nothing('Put the cursor on a signal, a row or a property of a circuit.');
    this.tellState();
  }

  /** Something else is asked than what is on its way. */
  private stopAndAsk(): void {
    this.stop();
    this.askAgain(0);
  }

  /** What is shown is not the newest of its place any more; nor is what is on its way, which is shown nevertheless. */
  private askAgain(pause: number): void {
    if (this.place === undefined) return;
    this.pages.send({ type: 'moved', isSame: true });
    this.askSoon(pause);
  }

  /** Asks once for all that happens until then. What is not in view is asked for when it is. */
  private askSoon(pause: number): void {
    if (!this.pages.areVisible) return this.stop();
    const due = Date.now() + pause;
    if (this.due !== undefined && this.due <= due) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => void this.ask(), pause);
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.due = undefined;
    this.asking?.cancel();
    this.asking = undefined;
  }

  /** One request at a time: were it ended by each news, there would be no answer while a check runs. */
  private async ask(): Promise<void> {
    this.due = undefined;
    const { place } = this;
    this.hasNews = this.asking !== undefined;
    if (place === undefined || this.hasNews) return;
    if (this.server.running === undefined) return this.nothing('The server does not run yet.');
    const asking = (this.asking = new CancellationTokenSource());
    try {
      await this.showAnswer(place, asking);
    } finally {
      if (asking === this.asking) {
        this.asking = undefined;
        if (this.hasNews) this.askAgain(0);
      }
    }
  }

  private async showAnswer(place: Place, asking: CancellationTokenSource): Promise<void> {
    const { asked } = this;
    const cone = this.folded.includes('around') ? 0 : this.cone;
    try {
      const answer = await this.server.request(protocol.at, { ...place, ...asked, ...this.runIn(place.uri), ...(cone > 0 ? { cone } : {}) }, asking.token);
      const topics = answer && (await this.topicsOf(place.uri, answer));
      if (asking !== this.asking || answer === undefined) return;
      const document = workspace.textDocuments.find(({ uri }) => uri.toString() === place.uri);
      // Of an earlier text: the server is about to read this one.
      if (document !== undefined && answer.version !== document.version) return this.askSoon(together);
      const picture = answer.around === null ? {} : { picture: smallPicture(answer.around) };
      const word = answer.now?.word;
      const radix = word == null ? 'default' : this.radices.ofWord(place.uri, word.name);
      this.present({ answer, radix, file: fileName(answer.uri), more: [], cone, isGrown: asked.depth !== undefined, ...picture, ...(topics === undefined ? {} : { topics }) });
      this.lookNow();
      // A status tells when the verdicts are known that hold for the text; that may be so already.
      if (!answer.settled) this.askSoon(unsettled);
    } catch (error) {
      if (asking !== this.asking) return; // another place, or another question, has ended this one
      if (!(error instanceof Refusal)) throw error;
      this.nothing(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`);
    }
  }

  /** The run that is played, or that of a difference, with the step of it that is shown; of no other file. */
  private runIn(uri: string): Pick<protocol.AtParams, 'run' | 'step' | 'compared'> {
    const { played, compared } = this;
    if (played?.in.uri === uri) {
      const { run } = played.in;
      return { run, step: Math.min(played.step, run.steps - 1) };
    }
    return compared?.uri === uri ? { compared: compared.id, step: compared.step } : {};
  }

  /** All that the proof of the property says, where that is listed. */
  private async topicsOf(uri: string, { property, version }: protocol.Place): Promise<protocol.ProofTopic[] | undefined> {
    if (!this.listsProof || property === null || property.facts.length === 0) return undefined;
    const proof = await unlessRefused(this.server.execute(protocol.proof, { uri, property: property.property }));
    return proof?.version === version ? proof.topics : undefined;
  }

  private present(shown: Shown): void {
    this.shown = shown;
    this.count++;
    this.pages.send({ type: 'answer', count: this.count, ...shown });
  }

  private nothing(message: string): void {
    this.shown = undefined;
    this.count++;
    this.pages.send({ type: 'nothing', message });
  }

  private lookNow(): void {
    const { look, shown } = this;
    if (look === undefined || shown === undefined) return;
    const isThere = hasSection(shown, look);
    if (isThere || shown.answer.settled) this.look = undefined;
    if (!isThere) return;
    this.fold(look, false);
    this.pages.send({ type: 'look', section: look });
  }

  private pin(isPinned: boolean): void {
    this.isPinned = isPinned;
    this.tellState();
    this.follow(window.activeTextEditor);
  }

  private get folded(): Section[] {
    const kept = this.state.get<unknown[]>(foldedKey, []);
    return sections.filter((section) => kept.includes(section));
  }

  private fold(section: Section, isFolded: boolean): void {
    const others = this.folded.filter((one) => one !== section);
    void this.state.update(foldedKey, isFolded ? [...others, section] : others);
    this.tellState();
    // A picture is asked for only where it is seen.
    if (section === 'around' && !isFolded) this.askSoon(0);
  }

  private tellState(): void {
    this.pages.send({ type: 'state', folded: this.folded, isPinned: this.isPinned, canGoBack: this.trail.length > 0 && !this.isPinned });
  }

  private async receive(message: Exclude<FromPage, { type: 'ready' }>): Promise<void> {
    switch (message.type) {
      case 'fold':
        return this.fold(message.section, message.isFolded);
      case 'pin':
        return this.pin(!this.isPinned);
      case 'back':
        return this.back();
    }
    const { shown, place } = this;
    // Of an answer that is no longer shown.
    if (message.of !== this.count || shown === undefined || place === undefined) return;
    try {
      await this.clicked(message, shown, place);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      void tell('warning', error.message);
    }
  }

  private async clicked(message: Click, shown: Shown, place: Place): Promise<unknown> {
    switch (message.type) {
      case 'go':
        return this.leadTo(found(shown, message.path), message.focus, shown, treeOf(shown, message.path));
      case 'node':
        return this.clickBox(message.node, message.focus, shown);
      case 'run': {
        const { command, argument } = found(shown, message.path) as protocol.PlaceAction;
        return commands.executeCommand(command, argument);
      }
      case 'step': {
        const { now } = shown.answer;
        if (now !== null && !isOfProperty(now.kind)) return this.showStep(stepAfter(now, message.to), shown, 'answer.now.why');
        const property = now?.property;
        // At the line of a word there is no signal whose changes the server would look for.
        const isWordChange = now?.value === '' && message.to.endsWith('Change');
        const to = now && isWordChange ? `${stepAfter(now, message.to)}` : message.to;
        return property && this.steps.follow({ ...place, property, to: to as protocol.StepParams['to'] });
      }
      case 'change':
        return this.change(message.what, shown);
      case 'grow':
        return this.grow(message.what, message.by, shown);
      case 'choose':
        this.asked = { ...this.asked, [message.what]: message.chosen };
        return this.stopAndAsk();
      case 'radix': {
        const word = shown.answer.now?.word;
        return word == null ? undefined : this.radices.choose(place.uri, word.name, message.radix);
      }
      case 'causes':
        return this.askForCauses(found(shown, message.path) as protocol.Cause, shown, treeOf(shown, message.path));
      case 'proof':
        this.listsProof = true;
        return this.stopAndAsk();
      case 'schematic':
        return commands.executeCommand('aiglens.drawCone', shown.answer.property === null ? place : { uri: shown.answer.uri, property: shown.answer.property.property });
    }
  }

  /** A box leads to its row; at one where the picture ends it goes on. */
  private async clickBox(index: number, focus: boolean, shown: Shown): Promise<void> {
    if (shown.picture?.nodes[index]?.cut === true) this.grow('cone', 1, shown);
    else await this.leadTo(shown.answer.around?.nodes[index], focus, shown);
  }

  private grow(what: Grown, by: number, { answer }: Shown): void {
    if (what === 'cone') this.cone = Math.max(1, this.cone + by);
    else this.asked = { ...this.asked, depth: Math.max(1, (answer.signal?.depth ?? 1) + by) };
    this.stopAndAsk();
  }

  /** Asks for what an answer has left out of the causes of a value. */
  private async askForCauses({ signal, step }: protocol.Cause, shown: Shown, tree: CauseTree | undefined): Promise<void> {
    if (tree === undefined) return;
    const { uri } = shown.answer;
    const { kind, property } = runOf(shown, tree);
    const { run, compared } = this.runIn(uri);
    let cause: protocol.Cause | undefined;
    if (isOfProperty(kind)) cause = await this.server.execute(protocol.why, { uri, property, signal, step });
    else if (kind === 'played' && run !== undefined) cause = await this.server.execute(protocol.playWhy, { uri, run, signal, step });
    else if (kind === 'compared' && compared !== undefined) cause = await this.server.execute(protocol.playWhy, { uri, compared, signal, step });
    // Others may have been added to the same answer meanwhile.
    if (cause !== undefined && shown.answer === this.shown?.answer) this.addCauses(this.shown, { tree, signal, step, causes: cause.causes });
  }

  /** Adds to the answer that is shown. What is clicked in it means the same as before. */
  private addCauses(shown: Shown, causes: MoreCauses): void {
    this.shown = { ...shown, more: [...shown.more, causes] };
    this.pages.send({ type: 'answer', count: this.count, ...this.shown });
  }

  /** Asks what the run that is shown does with another value, or for more steps, and shows that. */
  private async change(what: Question, { answer, radix }: Shown): Promise<void> {
    const { now } = answer;
    const isStill = this.lookedAt(answer.uri);
    const asked = now === null || now.kind === 'compared' ? undefined : await changeOf(what, answer, now, radix);
    if (now === null || asked === undefined || this.isChanging || !isStill()) return;
    this.isChanging = true;
    try {
      await this.changeRun(asked, answer, now, isStill);
    } finally {
      this.isChanging = false;
    }
  }

  private async changeRun({ change, name }: Change, answer: protocol.Place, now: protocol.PlaceNow, isStill: () => boolean): Promise<void> {
    const { uri } = answer;
    refuseEarlier(answer);
    const player = now.kind === 'counterexample' ? await this.playerOf({ uri, property: now.property }) : this.played?.in;
    refuseEarlier(answer); // the panel may have been opened for it
    const run = await player?.change(change, name);
    // The panel has it, whatever else is looked at by now.
    if (player === undefined || run === undefined || !isStill()) return;
    const step = change.kind === 'until' ? run.steps - 1 : now.step;
    this.played = { in: { ...player, run }, step };
    player.show(step);
    this.stopAndAsk();
  }

  /** Tells later whether the same is looked at as now: place, run and step. */
  private lookedAt(uri: string): () => boolean {
    const { place, played, compared } = this;
    const step = played?.step;
    const shown = this.steps.shownIn(uri);
    return () => {
      const now = this.steps.shownIn(uri);
      const isSameStep = now === undefined || (now.property === shown?.property && now.step === shown?.step); // a run that is played hides it
      return place !== undefined && isSame(this.place, place) && this.played === played && played?.step === step && this.compared === compared && isSameStep;
    };
  }

  /** Leads to what has a place in the text, and to its step if it has one. */
  private async leadTo(to: unknown, focus: boolean, shown: Shown, tree?: CauseTree): Promise<void> {
    const { location, uri, range, step } = (to ?? {}) as { location?: Location | null; uri?: string; range?: Range; step?: number };
    const at = location === undefined && range !== undefined ? { uri: uri ?? shown.answer.uri, range } : location;
    if (at == null) return;
    if (this.place !== undefined && !this.isPinned) this.trail.push(this.place);
    this.tellState();
    try {
      if (step !== undefined && tree !== undefined) await this.showStep(step, shown, tree);
    } finally {
      await this.revealStart(at, focus); // whatever has become of the step
    }
  }

  /** Puts the cursor where something begins. The editor may be none that has the focus, nor gets it. */
  private async revealStart({ uri, range: { start } }: Location, focus: boolean): Promise<void> {
    if (!this.isPinned) this.goTo({ uri: documentUri(uri).toString(), position: start });
    await reveal(uri, { start, end: start }, !focus);
  }

  /** Shows a step of the run that a tree is about. */
  private async showStep(step: number, shown: Shown, tree: CauseTree): Promise<void> {
    const { played } = this;
    const { kind, property } = runOf(shown, tree);
    if (isOfProperty(kind)) {
      await this.steps.show({ uri: shown.answer.uri, property, to: `${step}` });
    } else if (kind === 'compared') {
      this.compared?.goTo(step);
    } else if (played !== undefined) {
      played.step = step;
      played.in.show(step);
      this.stopAndAsk();
    }
  }

  private async back(): Promise<void> {
    const place = this.isPinned ? undefined : this.trail.pop();
    this.tellState();
    if (place !== undefined) await this.revealStart({ uri: place.uri, range: { start: place.position, end: place.position } }, false);
  }
}

/** A change of a run, and what it is about. */
interface Change {
  change: protocol.RunChange;
  name: string;
}

/** The numbers of signals are those of one text. */
function refuseEarlier({ uri, version }: protocol.Place): void {
  if (workspace.textDocuments.some((one) => one.uri.toString() === uri && one.version !== version)) throw new Refusal('the text has changed since');
}

/** The change that a button of the page is about; undefined where the user gives no value. */
async function changeOf(what: Question, { signal }: protocol.Place, { step, word, value }: protocol.PlaceNow, radix: Radix): Promise<Change | undefined> {
  if (what === 'set' || what === 'untilValue') {
    const typed = word === null ? undefined : await askForValue(word, what === 'set' ? `at step ${step}` : 'in a later step', radix === 'signed' ? '' : word.text); // a negative number is no value of a word without a sign
    if (word === null || typed === undefined) return undefined;
    if (what === 'set') return { change: { kind: 'set', word: word.name, step, value: typed }, name: word.name };
    const expression = `${word.written} == ${typed}`;
    return { change: { kind: 'until', expression, steps: mostRandom }, name: expression };
  }
  if (signal?.signal == null || value === '') return undefined;
  return { change: { kind: what, signal: signal.signal, ...(what === 'flip' ? { step } : { steps: mostRandom }) }, name: signal.name };
}

/** Instances are boxes as all others: they do not open. */
function smallPicture(around: protocol.Picture): NonNullable<Shown['picture']> {
  const picture = pictureOf(around);
  return { ...picture, nodes: picture.nodes.map(({ id, words, cut, placed }) => ({ id, words, tip: words, cut, placed })) };
}

async function unlessRefused<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The run that a tree is about, with the property of a counterexample. */
function runOf({ answer: { now, property } }: Shown, tree: CauseTree): Pick<protocol.PlaceNow, 'kind' | 'property'> {
  if (tree === 'answer.now.why' && now !== null) return now;
  return { kind: 'counterexample', property: property?.property ?? '' };
}

/** The tree of causes in which something stands; undefined where it stands in none. */
function treeOf(shown: Shown, path: string): CauseTree | undefined {
  const [, more] = /^more\.(\d+)\./.exec(path) ?? [];
  return more === undefined ? causeTrees.find((tree) => path === tree || path.startsWith(`${tree}.`)) : shown.more[Number(more)]?.tree;
}

/** Whether steps are those that the text shows of a property: of its counterexample or derivation. */
function isOfProperty(kind: protocol.RunKind): boolean {
  return kind === 'counterexample' || kind === 'derivation';
}

/** The step that a button of the page leads to. */
function stepAfter({ step, steps, next, previous }: protocol.PlaceNow, to: string): number {
  switch (to) {
    case 'next':
      return Math.min(step + 1, steps - 1);
    case 'previous':
      return Math.max(step - 1, 0);
    case 'nextChange':
      return next ?? step;
    default:
      return previous ?? step;
  }
}

/** What stands at a path of what the page was sent. */
function found(shown: Shown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined), shown);
}

function hasSection({ answer }: Shown, section: Section): boolean {
  if (section === 'what' || section === 'around') return true;
  return answer[section] !== null;
}

function movePlace({ uri, position }: Place, edits: readonly Edit[]): Place | undefined {
  let at: Position | undefined = position;
  for (const edit of edits) at = at && movePosition(at, edit);
  return at && { uri, position: at };
}

function isSame(before: Place | undefined, { uri, position }: Place): boolean {
  return before?.uri === uri && before.position.line === position.line && before.position.character === position.character;
}
