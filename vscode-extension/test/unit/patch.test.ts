// What is drawn already is changed only where it differs; a choice shows what is chosen, whatever the user has picked.
import { expect, test, vi } from 'vitest';
import { h } from '../../src/circuit/webview/nodes';
import { patch } from '../../src/circuit/webview/patch';

/** As much of an element as is patched. */
class FakeNode {
  static readonly TEXT_NODE = 3;
  readonly nodeType = 1;
  readonly childNodes: FakeNode[] = [];
  readonly held = new Map<string, string>();
  /** As browsers have it: the attribute counts only until it is set. */
  picked: boolean | undefined;
  private parent: FakeNode | undefined;

  constructor(readonly localName: string) {}

  get attributes() {
    return [...this.held.keys()].map((name) => ({ name }));
  }
  get firstChild() {
    return this.childNodes[0] ?? null;
  }
  get nextSibling(): FakeNode | null {
    return this.parent?.childNodes[this.parent.childNodes.indexOf(this) + 1] ?? null;
  }
  get selected() {
    return this.picked ?? this.held.has('selected');
  }
  set selected(picked: boolean) {
    this.picked = picked;
  }
  getAttribute = (name: string) => this.held.get(name) ?? null;
  setAttribute = (name: string, value: string) => void this.held.set(name, value);
  removeAttribute = (name: string) => void this.held.delete(name);
  remove(): void {
    this.parent?.childNodes.splice(this.parent.childNodes.indexOf(this), 1);
  }
  insertBefore(node: FakeNode, next: FakeNode | null): void {
    node.remove();
    this.childNodes.splice(next === null ? this.childNodes.length : this.childNodes.indexOf(next), 0, node);
    node.parent = this;
  }
}

test('an option is selected by the answer, also after the user has picked another', () => {
  vi.stubGlobal('Node', FakeNode);
  vi.stubGlobal('Element', FakeNode);
  vi.stubGlobal('document', { createElement: (tag: string) => new FakeNode(tag) });
  const body = new FakeNode('body');
  const draw = (chosen: string) => patch(body as never, [h('select', {}, ...['a', 'b'].map((value) => h('option', { key: value, value, selected: value === chosen })))]);
  const options = () => body.firstChild!.childNodes;
  draw('a');
  const [a, b] = options();
  a!.selected = false; // as picking does
  b!.selected = true;
  draw('a');
  expect(options()).toEqual([a, b]);
  expect(options().map(({ selected }) => selected)).toEqual([true, false]);
  draw('b');
  expect(options().map(({ selected }) => selected)).toEqual([false, true]);
  vi.unstubAllGlobals();
});
