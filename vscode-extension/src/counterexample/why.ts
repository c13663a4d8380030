// The chain of causes behind a value, as a tree: what forces the value at its
// step, in turn with its causes. Each entry leads to the text and the step.
import {
  commands,
  Disposable,
  EventEmitter,
  MarkdownString,
  type TextEditor,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeDataProvider,
  type TreeView,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Location } from 'vscode-languageclient/node';
import { circuitEditor, reveal } from '../places';
import * as protocol from '../protocol';
import type { Server } from '../server';
import type { StatusModel } from '../status';
import type { PropertyRef } from './messages';
import { atCursor, chooseProperty, type Steps } from './steps';
import { type Edit, moveLocation } from './tracked';
import { tell } from '../telling';

export const view = 'aiglens.causes';

export interface CauseNode {
  readonly cause: protocol.Cause;
  readonly parent: CauseNode | undefined;
  /** Where the text defines it now. */
  location: Location | null;
  /** Undefined as long as the server was not asked for them. */
  children: CauseNode[] | undefined;
}

/** A run that is played, and the panel that plays it. */
interface PlayedIn {
  readonly panel: object;
  readonly uri: string;
  readonly signal: number;
  /** Has the panel show a step. */
  readonly show: (step: number) => void;
  /** The run as the panel has it now. */
  run: protocol.PlayedRun;
}

/** Edits of one document. */
interface TextEdits {
  readonly uri: string;
  readonly edits: readonly Edit[];
}

export class Why implements TreeDataProvider<CauseNode> {
  private readonly changes = new EventEmitter<CauseNode | undefined>();
  readonly onDidChangeTreeData = this.changes.event;
  readonly view: TreeView<CauseNode>;
  root: CauseNode | undefined;
  private about: PropertyRef | undefined;
  private asked: protocol.WhyParams | undefined;
  /** Set while the causes are those of a run that is played. */
  private played: PlayedIn | undefined;
  /** The text of the answer is not the present one any more. */
  stale = false;
  /** Of each question that waits for its answer the edits since it was asked: the answer is about the text before them. */
  private readonly missed = new Set<TextEdits[]>();
  private readonly listeners: Disposable;

  constructor(
    private readonly server: Pick<Server, 'execute'>,
    private readonly model: StatusModel,
    private readonly steps: Steps,
  ) {
    this.view = window.createTreeView(view, { treeDataProvider: this, showCollapseAll: true });
    this.listeners = Disposable.from(
      this.view,
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => this.edited(document.uri.toString(), contentChanges)),
      model.onDidClear(() => {
        this.played = undefined;
        this.show(undefined);
      }),
    );
  }

  /** Why the property fails. */
  async fails(about: PropertyRef | undefined): Promise<void> {
    const chosen = about ?? (await chooseProperty(this.model, this.steps, circuitEditor()));
    if (chosen !== undefined) await this.ask(chosen, { ...chosen });
  }

  /** Why what is at the cursor has its value in the step that is shown. */
  async atCursor(editor: TextEditor): Promise<void> {
    const chosen = await chooseProperty(this.model, this.steps, editor);
    if (chosen !== undefined) await this.ask(chosen, { ...atCursor(editor), ...chosen });
  }

  /** Why a signal of a counterexample has its value at a step. */
  async ofSignal(about: PropertyRef, signal: number, step: number): Promise<void> {
    await this.ask(about, { ...about, signal, step });
  }

  /** Why a signal of a run that is played has its value at a step. */
  async ofRun(played: PlayedIn, step: number): Promise<void> {
    const { uri, run, signal } = played;
    await this.present(this.server.execute(protocol.playWhy, { uri, run, signal, step }), () => {
      this.played = played;
      this.about = { uri, property: '' };
      this.asked = undefined;
    });
  }

  /** A panel plays another run: the causes are those of the run before. */
  followRun(panel: object, run: protocol.PlayedRun): void {
    if (this.played?.panel !== panel || JSON.stringify(this.played.run) === JSON.stringify(run)) return;
    // In another circuit the signal has another number; the server refuses the run of the one before.
    if (run.circuit === this.played.run.circuit) this.played.run = run;
    this.outdate('The run has changed: these are the causes in the run before.');
  }

  /** A panel no longer plays its run: no step of it can be shown. */
  forgetRun(panel: object): void {
    if (this.played?.panel !== panel) return;
    this.played = undefined;
    this.view.description = 'a run that was played';
    this.outdate('The run is no longer played: these are the causes in it.');
  }

  /** Asks again, for the present text. A signal has its number in one text only. */
  async refresh(): Promise<void> {
    if (this.played !== undefined) {
      if (this.root !== undefined) await this.ofRun(this.played, this.root.cause.step);
      return;
    }
    if (this.root !== undefined && this.asked === undefined) {
      void tell('information', 'the run is no longer played. Ask why in the panel of another one.');
      return;
    }
    if (this.about === undefined || this.asked === undefined) return this.fails(undefined);
    const { signal, position, ...rest } = this.asked;
    const place = this.root?.location;
    const subject = signal === undefined && position === undefined ? {} : place?.uri === this.about.uri ? { position: place.range.start } : undefined;
    if (subject === undefined) {
      void tell('information', 'the present text no longer has this signal.');
      return;
    }
    await this.ask(this.about, { ...rest, ...subject, ...(this.root === undefined ? {} : { step: this.root.cause.step }) });
  }

  /** Leads to the place of an entry, and to its step. */
  async goTo(node: CauseNode): Promise<void> {
    const { cause, location } = node;
    if (this.about === undefined) return;
    if (location === null) {
      void tell('information', `the present text no longer defines ${cause.name || 'this signal'}.`);
      return;
    }
    try {
      if (!this.stale && this.played !== undefined) this.played.show(cause.step);
      else if (!this.stale) await this.steps.show({ ...this.about, to: `${cause.step}` });
    } finally {
      // Whatever has become of the step; an edit may have moved the place meanwhile.
      const { uri, range } = node.location ?? location;
      await reveal(uri, range, false);
    }
  }

  getTreeItem(node: CauseNode): TreeItem {
    const { cause } = node;
    const item = new TreeItem(cause.name, collapsible(node));
    item.description = described(node);
    item.iconPath = iconFor(node);
    item.tooltip = tooltip(node);
    item.accessibilityInformation = { label: `${cause.at === '' ? said(cause) : `${cause.name} is ${cause.value} at ${cause.at}`}. ${note(node)}` };
    item.contextValue = node.location === null ? 'gone' : 'cause';
    item.command = { command: 'aiglens.goToNode', title: 'Go to Cause', arguments: [node] };
    return item;
  }

  getParent(node: CauseNode): CauseNode | undefined {
    return node.parent;
  }

  async getChildren(node?: CauseNode): Promise<CauseNode[]> {
    if (node === undefined) return this.root === undefined ? [] : [this.root];
    if (node.children !== undefined) return node.children;
    if (this.stale || this.about === undefined) return [];
    const { signal, step } = node.cause;
    const { played } = this;
    const answer = played === undefined ? this.server.execute(protocol.why, { ...this.about, signal, step }) : this.server.execute(protocol.playWhy, { uri: played.uri, run: played.run, signal, step });
    const { cause, missed } = await this.noteEdits(answer);
    node.children = (cause?.causes ?? []).map((one) => nodeFrom(one, node));
    for (const { uri, edits } of missed) node.children.forEach((child) => move(child, uri, edits));
    return node.children;
  }

  dispose(): void {
    this.played = undefined;
    this.listeners.dispose();
    this.changes.dispose();
  }

  private async ask(about: PropertyRef, params: protocol.WhyParams): Promise<void> {
    await this.present(this.server.execute(protocol.why, params), () => {
      this.about = about;
      this.asked = params;
      this.played = undefined;
    });
  }

  /** Awaits an answer, and the edits that were made meanwhile. */
  private async noteEdits(answer: Promise<protocol.Cause | undefined>): Promise<{ cause: protocol.Cause | undefined; missed: readonly TextEdits[] }> {
    const missed: TextEdits[] = [];
    this.missed.add(missed);
    try {
      return { cause: await answer, missed };
    } finally {
      this.missed.delete(missed);
    }
  }

  /** Shows an answer once it comes, and before that notes what it is about. */
  private async present(answer: Promise<protocol.Cause | undefined>, note: () => void): Promise<void> {
    const { cause, missed } = await this.noteEdits(answer);
    if (cause === undefined) return;
    note();
    this.show(nodeFrom(cause, undefined));
    for (const { uri, edits } of missed) this.follow(uri, edits);
    await commands.executeCommand('setContext', 'aiglens.whyShown', true);
    if (this.root !== undefined) await this.view.reveal(this.root, { expand: 2, focus: true, select: true });
  }

  private show(root: CauseNode | undefined): void {
    this.root = root;
    this.stale = false;
    const name = this.about === undefined ? undefined : this.model.file(this.about.uri)?.properties.get(this.about.property)?.name;
    const played = this.played === undefined ? undefined : 'the run that is played';
    this.view.description = root === undefined ? '' : (played ?? name ?? this.about?.property ?? '');
    this.view.message = '';
    this.changes.fire(undefined);
  }

  private edited(uri: string, edits: readonly Edit[]): void {
    if (edits.length === 0) return;
    for (const missed of this.missed) missed.push({ uri, edits });
    this.follow(uri, edits);
  }

  /** Moves the places with the text, whose causes they are no more. */
  private follow(uri: string, edits: readonly Edit[]): void {
    if (this.root === undefined) return;
    move(this.root, uri, edits);
    if (uri !== this.about?.uri || this.stale) return;
    this.outdate(this.played === undefined ? 'The text has changed: these are the causes in the text that was checked.' : 'The text has changed: these are the causes in the text before.');
  }

  private outdate(message: string): void {
    this.stale = true;
    this.view.message = message;
    this.changes.fire(undefined);
  }
}

export function nodeFrom(cause: protocol.Cause, parent: CauseNode | undefined): CauseNode {
  const uri = cause.location === null ? undefined : Uri.parse(cause.location.uri).toString();
  const location = uri === undefined ? null : { uri, range: cause.location!.range };
  const node: CauseNode = { cause, parent, location, children: undefined };
  if (cause.cut !== true) node.children = cause.causes.map((one) => nodeFrom(one, node));
  return node;
}

function move(node: CauseNode, uri: string, edits: readonly Edit[]): void {
  node.location = moveLocation(node.location, uri, edits);
  node.children?.forEach((child) => move(child, uri, edits));
}

function collapsible({ cause, children }: CauseNode): TreeItemCollapsibleState {
  return cause.cut === true || (children?.length ?? 0) > 0 ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None;
}

/** A value in words; of a property that a loop violates that it fails. */
function said({ name, value, at }: protocol.Cause): string {
  return at === '' ? `${name} fails in the loop` : `${name} = ${value} at ${at}`;
}

/** Like `= 1 · step 3 · input`, and how a signal without a name is computed. */
export function described(node: CauseNode): string {
  const { value, at, formula = '' } = node.cause;
  if (at === '') return ['fails in the loop', note(node)].filter((part) => part !== '').join(' · ');
  return [`= ${value}`, at, note(node), formula].filter((part) => part !== '').join(' · ');
}

function note({ cause, location }: CauseNode): string {
  const why = cause.repeated === true ? 'causes as above' : cause.reason;
  return location === null ? [why, 'no longer in the text'].filter((part) => part !== '').join(', ') : why;
}

function iconFor({ cause, location }: CauseNode): ThemeIcon {
  if (location === null) return new ThemeIcon('circle-slash', new ThemeColor('disabledForeground'));
  if (cause.repeated === true) return new ThemeIcon('references');
  if (cause.reason === 'input') return new ThemeIcon('arrow-small-right', new ThemeColor('charts.blue'));
  if (cause.reason !== '') return new ThemeIcon('debug-restart', new ThemeColor('charts.blue'));
  if (cause.at === '') return new ThemeIcon('sync');
  if (cause.word === true) return new ThemeIcon('symbol-numeric');
  return new ThemeIcon(cause.value === '1' ? 'circle-filled' : 'circle-outline');
}

const listed = 8; // causes in a tooltip

function tooltip(node: CauseNode): MarkdownString {
  const { cause, children } = node;
  const text = new MarkdownString();
  text.appendText(said(cause));
  if (cause.formula !== undefined) text.appendText(`, which is ${cause.formula}`);
  const why = note(node);
  if (why !== '') text.appendText(`: ${why}`);
  if (children === undefined || children.length === 0) return text;
  text.appendMarkdown('\n\nbecause\n');
  for (const { cause: one } of children.slice(0, listed)) {
    text.appendMarkdown('\n- ').appendText(said(one));
  }
  if (children.length > listed) text.appendMarkdown(`\n- and ${children.length - listed} more`);
  return text;
}
