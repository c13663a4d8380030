// What a proof says, as a tree: facts and implications by what they refer to, each with its
// latches, which lead to their rows. It is about one text: after an edit it says so.
import { commands, Disposable, EventEmitter, type TextEditor, ThemeIcon, TreeItem, TreeItemCollapsibleState, type TreeDataProvider, type TreeView, Uri, window, workspace } from 'vscode';
import type { Location } from 'vscode-languageclient/node';
import { type Edit, moveLocation, moveRange } from './counterexample/tracked';
import { forEditor, register, withProof } from './commands';
import { holdsModels, isModels } from './formats';
import { fileName, reveal } from './places';
import { type About, isPresent } from './proofIdentity';
import * as protocol from './protocol';
import type { Server } from './server';
import type { StatusChange, StatusModel } from './status';
import { tell } from './telling';

export const view = 'aiglens.invariant';

export interface ProofNode {
  readonly label: string;
  readonly kind: 'topic' | protocol.FactKind | 'latch';
  readonly parent: ProofNode | undefined;
  readonly children: ProofNode[];
  /** Of a latch, where the text defines it now; null where no open text does; undefined when unknown. */
  location: Location | null | undefined;
}

/** What the tree is about, as the server was asked. */
type Asked = protocol.ProofParams;

/** A question on its way, and the texts that were edited meanwhile. */
interface Question {
  asked: Asked | undefined;
  readonly edited: Set<string>;
  /** One of them holds models. */
  models: boolean;
}

export class ProofTree implements TreeDataProvider<ProofNode> {
  private readonly changes = new EventEmitter<ProofNode | undefined>();
  readonly onDidChangeTreeData = this.changes.event;
  readonly view: TreeView<ProofNode>;
  topics: ProofNode[] = [];
  /** The answer is not known to be about the present text. */
  stale = false;
  /** That is so until it is asked for again, because a text was edited; else a status may take it back. */
  private edits = false;
  /** What the view says of an answer that is about the present text. */
  private remark = '';
  /** Its place is moved along with the text; undefined once that is gone. */
  private asked: Asked | undefined;
  /** The newest question without an answer yet, whose place is moved along too. */
  private asking: Question | undefined;
  private shown: { uri: string; about: About } | undefined;
  private readonly listeners: Disposable;

  constructor(
    private readonly server: Pick<Server, 'execute'>,
    private readonly model: StatusModel,
  ) {
    this.view = window.createTreeView(view, { treeDataProvider: this, showCollapseAll: true });
    this.listeners = Disposable.from(
      this.view,
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => this.edited(document.uri.toString(), contentChanges, isModels(document))),
      model.onDidChange((change) => this.told(change)),
      model.onDidClear(() => this.show(undefined)),
    );
  }

  /** All that the proof of a property says. */
  async of(about: { uri: string; property: protocol.PropertyID }): Promise<void> {
    await this.ask({ ...about });
  }

  /** What the proofs of a file say of the latch at the cursor. */
  async ofLatch(editor: TextEditor): Promise<void> {
    const { line, character } = editor.selection.active;
    await this.ask({ uri: editor.document.uri.toString(), latch: { line, character } });
  }

  /** Asks again, for the present text. */
  async refresh(): Promise<void> {
    if (this.asked !== undefined) return this.ask(this.asked);
    void tell('information', 'the present text no longer has this latch.');
  }

  async goTo({ location, label }: ProofNode): Promise<void> {
    if (location === undefined) return void tell('information', `the place of ${label} is not known, because the text has changed. Refresh the tree.`);
    if (location !== null) return reveal(location.uri, location.range, false);
    void tell('information', `the present text no longer defines ${label}.`);
  }

  getTreeItem(node: ProofNode): TreeItem {
    const { kind, label, children, location } = node;
    const open = kind === 'topic' ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
    const item = new TreeItem(label, children.length === 0 ? TreeItemCollapsibleState.None : open);
    item.iconPath = new ThemeIcon(icons[kind]);
    item.tooltip = this.stale ? `${label} (of an earlier text)` : label;
    if (kind === 'topic') item.description = `${children.length}`;
    if (kind !== 'latch') return item;
    if (location === undefined) return item;
    item.description = location === null ? 'no longer in the text' : `${fileName(location.uri)}, line ${location.range.start.line + 1}`;
    item.command = { command: 'aiglens.goToProofLatch', title: 'Go to Latch', arguments: [node] };
    return item;
  }

  getParent({ parent }: ProofNode): ProofNode | undefined {
    return parent;
  }

  getChildren(node?: ProofNode): ProofNode[] {
    return node === undefined ? this.topics : node.children;
  }

  dispose(): void {
    this.listeners.dispose();
    this.changes.dispose();
  }

  private async ask(asked: Asked): Promise<void> {
    const question: Question = { asked, edited: new Set(), models: false };
    this.asking = question;
    const answer = await this.server.execute(protocol.proof, asked);
    if (answer === undefined || this.asking !== question) return;
    this.asking = undefined;
    this.asked = question.asked;
    this.show(answer, Uri.parse(asked.uri).toString());
    // An answer that was on its way during typing is about an earlier text: the places of its
    // latches are unknown.
    const open = workspace.textDocuments.find(({ uri }) => uri.toString() === this.shown?.uri);
    const overtaken = open !== undefined && open.version !== answer.version;
    forgetPlaces(this.topics, (at) => overtaken || question.edited.has(at));
    this.edits = overtaken || (question.models && holdsModels(Uri.parse(asked.uri)));
    this.mark();
    await commands.executeCommand('setContext', 'aiglens.invariantShown', true);
    if (this.topics[0] !== undefined) await this.view.reveal(this.topics[0], { expand: 1, focus: true, select: true });
  }

  private show(answer: protocol.Answer | undefined, uri = ''): void {
    this.stale = this.edits = false;
    this.topics = (answer?.topics ?? []).map(topicFrom);
    this.shown = answer && { uri, about: { property: answer.property, name: answer.name, circuit: answer.circuit, isProof: true } };
    this.view.description = answer === undefined ? '' : `${answer.latch === undefined ? '' : `${answer.latch} in `}${answer.name}, ${fileName(uri)}`;
    this.remark = answer !== undefined && this.topics.length === 0 ? `${answer.text.split('\n', 1)[0]} There are no facts to list: “Show Proof of the Property” says why it holds.` : '';
    this.view.message = this.remark;
    this.changes.fire(undefined);
  }

  /** Says whether the answer is about an earlier text. */
  private mark(): void {
    if (this.shown === undefined) return;
    const stale = this.edits || !isPresent(this.model, this.shown.uri, this.shown.about);
    if (this.stale === stale) return;
    this.stale = stale;
    this.view.message = stale ? 'The text has changed: this is the proof of the text that was checked.' : this.remark;
    this.changes.fire(undefined);
  }

  private edited(uri: string, edits: readonly Edit[], models: boolean): void {
    if (edits.length === 0) return;
    this.asked = moveAsked(this.asked, uri, edits);
    if (this.asking !== undefined) {
      this.asking.asked = moveAsked(this.asking.asked, uri, edits);
      this.asking.edited.add(uri);
      this.asking.models ||= models;
    }
    if (this.shown === undefined) return;
    const move = (node: ProofNode) => {
      if (node.location !== undefined) node.location = moveLocation(node.location, uri, edits);
      node.children.forEach(move);
    };
    this.topics.forEach(move);
    this.edits ||= uri === this.shown.uri || (models && holdsModels(Uri.parse(this.shown.uri)));
    this.mark();
  }

  /** Models of other files, or settings, may have taken the proof away. */
  private told({ uri }: StatusChange): void {
    if (uri === this.shown?.uri) this.mark();
  }
}

/** Registers the commands of a tree, which is returned. */
export function registerProofTree(server: Pick<Server, 'execute'>, model: StatusModel): { tree: ProofTree; commands: Disposable[] } {
  const tree = new ProofTree(server, model);
  return {
    tree,
    commands: [
      register('aiglens.showInvariant', (about) => withProof(model, about, (found) => tree.of(found))),
      forEditor('aiglens.clausesWithLatch', (editor) => tree.ofLatch(editor)),
      register('aiglens.refreshInvariant', () => tree.refresh()),
      register('aiglens.goToProofLatch', (node) => tree.goTo(node as ProofNode)),
    ],
  };
}

const icons: Record<ProofNode['kind'], string> = {
  topic: 'list-tree',
  word: 'symbol-numeric',
  constant: 'symbol-constant',
  equal: 'git-compare',
  group: 'symbol-enum',
  clause: 'arrow-small-right',
  latch: 'symbol-variable',
};

/** What was asked, with its place where that is after edits; undefined once the place is gone. */
function moveAsked(asked: Asked | undefined, uri: string, edits: readonly Edit[]): Asked | undefined {
  if (asked?.latch === undefined || Uri.parse(asked.uri).toString() !== uri) return asked;
  const latch = moveRange({ start: asked.latch, end: asked.latch }, edits)?.start;
  return latch && { ...asked, latch };
}

/** Forgets the places of latches in texts for which they are unknown. */
function forgetPlaces(nodes: readonly ProofNode[], isUnknown: (uri: string) => boolean): void {
  for (const node of nodes) {
    if (node.location && isUnknown(node.location.uri)) node.location = undefined;
    forgetPlaces(node.children, isUnknown);
  }
}

function topicFrom({ title, facts }: protocol.ProofTopic): ProofNode {
  const node = nodeOf(title, 'topic', undefined);
  for (const { text, kind, latches } of facts) {
    const fact = nodeOf(text, kind, node);
    for (const { name, location } of latches) {
      const at = location && { uri: Uri.parse(location.uri).toString(), range: location.range };
      fact.children.push(nodeOf(name, 'latch', fact, at));
    }
    node.children.push(fact);
  }
  return node;
}

function nodeOf(label: string, kind: ProofNode['kind'], parent: ProofNode | undefined, location: Location | null = null): ProofNode {
  return { label, kind, parent, children: [], location };
}
