// The radix of the trace panel: how values of words are written. The user chooses one for all words in
// the page (webview/main.ts), which is kept with the workspace (remembered.ts), and one for a single word, which
// counts more (../radices.ts).
import type { WordRadix, WordValue } from '../protocol';
import type { Radix } from '../radices';

/** Those for all words. */
export const radices: readonly Radix[] = ['default', 'decimal', 'hex', 'binary'];

/** Those for one word, and what they are called. */
export const wordRadices: readonly (readonly [Radix, string])[] = [
  ['default', 'default radix'],
  ['decimal', 'decimal'],
  ['signed', 'signed decimal'],
  ['hex', 'hexadecimal'],
  ['binary', 'binary'],
];

/** The radix after this one, for the key that goes through all. */
export function nextRadix(radix: Radix, among: readonly Radix[] = radices): Radix {
  return among[(among.indexOf(radix) + 1) % among.length]!;
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
  return String((signed === true || chosen === 'signed') && bits.startsWith('1') ? value - (1n << BigInt(bits.length)) : value);
}

/**
 * The value of a word for which the user has chosen a radix. Where a bit is not known it is binary: a hexadecimal digit
 * would hide those that are. One of many bits has no room for that.
 */
export function chosenText(how: Written, bits: string, radix: WordRadix): string {
  return wordText(how, bits, /[x-]/.test(bits) && bits.length <= maxDecimal ? 'binary' : radix);
}

function hexadecimal(bits: string): string {
  const digits = bits.padStart(Math.ceil(bits.length / 4) * 4, '0').match(/.{4}/g)!;
  return digits.map((digit) => (/[x-]/.test(digit) ? 'x' : Number.parseInt(digit, 2).toString(16))).join('');
}
