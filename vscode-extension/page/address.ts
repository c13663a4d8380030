// The fragment of the page's address: which text is shown, and with what. A text travels in the address itself, which a
// browser does not send.

export interface Address {
  /** Of an example, with or without its ending. */
  example?: string;
  /** A text that was shared, and what its file is called. */
  text?: string;
  name?: string;
  /** What is open beside the text once there is a verdict. */
  panels: readonly Panel[];
  /** Within another page: text and panels alone. */
  embed: boolean;
}

export const panels = ['trace', 'circuit', 'schematic', 'states'] as const;
export type Panel = (typeof panels)[number];

/** @throws Error when the text in the address cannot be unpacked */
export async function parse(fragment: string): Promise<Address> {
  const all = new URLSearchParams(fragment.replace(/^#/, ''));
  const [example, packed, name] = [all.get('example'), all.get('text'), all.get('name')];
  return {
    ...(example === null ? {} : { example }),
    ...(packed === null ? {} : { text: await unpack(packed) }),
    ...(name === null ? {} : { name: fileNameOf(name) }),
    panels: panels.filter((panel) => all.getAll('panel').some((some) => some.split(',').includes(panel))),
    embed: all.has('embed'),
  };
}

export async function fragmentOf({ name, text, panels: shown = [] }: { name: string; text: string; panels?: readonly Panel[] }): Promise<string> {
  const all = new URLSearchParams({ name, ...(shown.length === 0 ? {} : { panel: shown.join(',') }), text: await pack(text) });
  return `#${all}`;
}

/** A name for what a link holds, by which its file is found again. */
export function linkOf(name: string, text: string): string {
  let [a, b] = [0x811c9dc5, 0x01000193]; // FNV-1a, twice
  for (const sign of new TextEncoder().encode(`${name}\n${text}`)) {
    a = Math.imul(a ^ sign, 0x01000193);
    b = Math.imul(b ^ sign, 0x85ebca6b);
  }
  return `${text.length}-${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}`;
}

/** The same address outside of another page. */
export function withoutEmbed(fragment: string): string {
  return `#${fragment.replace(/^#/, '').split('&').filter((part) => !/^embed(=|$)/.test(part)).join('&')}`;
}

/** The last part of a path. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).at(-1)!.replace(/[\u0000-\u001f?#%]/g, '_').slice(0, 100) || 'circuit.aag';
}

/** An address that unpacks to more is refused. */
const mostBytes = 64 << 20;

async function pack(text: string): Promise<string> {
  const bytes = await collect(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity);
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

async function unpack(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new TextDecoder('utf-8', { fatal: true }).decode(await collect(stream, mostBytes));
}

async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error(`the text in the address unpacks to more than ${most >> 20} MB`);
    }
    parts.push(next.value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
