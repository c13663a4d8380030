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

/** A child, or nothing where there is none to show. */
export type Part = Child | undefined | false;

/** Makes an element. The attribute key is its key; children that are missing are left out. */
export function h(tag: string, { key, ...attributes }: Element['attributes'] = {}, ...children: Part[]): Element {
  return { tag, ...(key === undefined ? {} : { key: String(key) }), attributes, children: children.filter((child): child is Child => child !== undefined && child !== false && child !== '') };
}
