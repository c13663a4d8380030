/// <reference lib="dom" />
// Makes the elements of a page what they are to be, and leaves alone what they are already.
import type { Child, Element as Wanted } from './nodes';

const graphics = new Set(['svg', 'g', 'path', 'rect', 'text', 'line', 'title']);
const svg = 'http://www.w3.org/2000/svg';
const keys = new WeakMap<Node, string | undefined>();

/** Children of an element with this attribute are left to what draws there. */
const foreign = 'data-foreign';

export function patch(parent: Element, children: readonly Child[]): void {
  const left = [...parent.childNodes];
  const nodes = children.map((child) => {
    const at = left.findIndex((node) => fits(node, child));
    return at < 0 ? make(child) : left.splice(at, 1)[0]!;
  });
  // First what goes: what stands in its place then is not moved, which would take the focus from it.
  for (const node of left) node.remove();
  let next = parent.firstChild;
  nodes.forEach((node, index) => {
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
    const child = children[index]!;
    if (typeof child !== 'string') update(node as Element, child);
    else if (node.nodeValue !== child) node.nodeValue = child;
  });
}

function fits(node: Node, child: Child): boolean {
  if (typeof child === 'string') return node.nodeType === Node.TEXT_NODE;
  return node instanceof Element && node.localName === child.tag && keys.get(node) === child.key;
}

function make(child: Child): ChildNode {
  if (typeof child === 'string') return document.createTextNode(child);
  const element = graphics.has(child.tag) ? document.createElementNS(svg, child.tag) : document.createElement(child.tag);
  keys.set(element, child.key);
  return element;
}

function update(element: Element, { attributes, children }: Wanted): void {
  const wanted = new Map(Object.entries(attributes).flatMap(([name, value]) => (value === undefined || value === false ? [] : [[name, value === true ? '' : String(value)] as const])));
  for (const { name } of [...element.attributes]) if (!wanted.has(name)) element.removeAttribute(name);
  for (const [name, value] of wanted) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  // The attribute counts only until the user has chosen.
  if (element.localName === 'option') (element as HTMLOptionElement).selected = wanted.has('selected');
  if (!wanted.has(foreign)) patch(element, children);
}
