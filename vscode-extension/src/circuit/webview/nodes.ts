// What a page is to show, as plain data: what makes it knows no browser, and what is shown already
// is changed only where it differs, so that focus, scroll position and folded parts stay.

/** An element. Its key tells it from others of its kind in the same place. */
export interface Element {
  readonly tag: string;
  readonly key?: string | undefined;
  /** Undefined and false leave an attribute out. */
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly children: readonly Child[];
}

export type Child = Element | string;

/** Makes an element. The attribute key is its key; children that are missing are left out. */
export function h(tag: string, { key, ...attributes }: Element['attributes'] = {}, ...children: (Child | undefined | false)[]): Element {
  const present = children.filter((child): child is Child => child !== undefined && child !== false && child !== '');
  return { tag, ...(key === undefined ? {} : { key: String(key) }), attributes, children: present };
}

/** All text of an element, for what reads it. */
export function textOf(child: Child): string {
  return typeof child === 'string' ? child : child.children.map(textOf).join('');
}

/** The elements of a tree that a test accepts, in their order. */
export function* find(child: Child, accepts: (element: Element) => boolean): Generator<Element> {
  if (typeof child === 'string') return;
  if (accepts(child)) yield child;
  for (const one of child.children) yield* find(one, accepts);
}
