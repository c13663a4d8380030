// The radix of the trace panel: how values of words are written. The user chooses it in
// the page (webview/main.ts), and it is kept with the workspace (remembered.ts).
import type { WordRadix, WordValue } from '../protocol';

/** How a word is written; default: by the names of its values and in its own radix. */
export type Radix = 'default' | WordRadix;

export const radices: readonly Radix[] = ['default', 'decimal', 'hex', 'binary'];

/** The radix after this one, for the key that goes through all. */
export function nextRadix(radix: Radix): Radix {
  return radices[(radices.indexOf(radix) + 1) % radices.length]!;
}

/** How the values of a word are written. */
export interface Written {
  signed?: boolean;
  radix?: WordRadix;
  values?: WordValue[];
}

const maxDecimal = 64; // bits of a word that is decimal by default

/**
 * The value of a word, the most significant bit first: 0, 1, x, and - for one that is missing. The
 * server writes the same (design/words/value.go), and tests hold both to one table.
 */
export function wordText({ signed, radix: own, values }: Written, bits: string, radix: Radix): string {
  const named = radix === 'default' ? values?.find((one) => one.bits === bits.replaceAll('-', 'x')) : undefined;
  if (named !== undefined) return named.name;
  if (!/[01]/.test(bits)) return 'x';
  const isWide = bits.length > maxDecimal;
  const chosen = radix === 'default' ? own ?? (isWide ? 'hex' : 'decimal') : radix;
  const isKnown = !/[x-]/.test(bits);
  if (chosen === 'hex' || (!isKnown && isWide)) return `0x${hexadecimal(bits)}`;
  if (chosen === 'binary' || !isKnown) return `0b${bits}`;
  const value = BigInt(`0b${bits}`);
  return String(signed === true && bits.startsWith('1') ? value - (1n << BigInt(bits.length)) : value);
}

function hexadecimal(bits: string): string {
  const digits = bits.padStart(Math.ceil(bits.length / 4) * 4, '0').match(/.{4}/g)!;
  return digits.map((digit) => (/[x-]/.test(digit) ? 'x' : Number.parseInt(digit, 2).toString(16))).join('');
}
