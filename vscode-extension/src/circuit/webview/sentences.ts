// Sentences of the server: markdown with no marks but those of code, of strong words and of a list below.
import { type Child, h } from './nodes';

export function sentence(text: string): Child[] {
  return [...text.matchAll(/(`+) ?(.+?) ?\1(?!`)|\*\*(.+?)\*\*|[^`*]+|[`*]/g)].map(([whole, fence, code, strong]) => {
    if (fence !== undefined) return h('code', {}, code!);
    return strong === undefined ? whole : h('strong', {}, strong);
  });
}

/** The same without marks. */
export function plain(text: string): string {
  return sentence(text).map((child) => (typeof child === 'string' ? child : String(child.children[0]))).join('');
}
