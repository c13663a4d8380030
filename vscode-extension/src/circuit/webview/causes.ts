// Why a signal has its value, as entries of a tree: what forces it, in turn with its causes.
import type { Cause } from '../../protocol';
import type { MoreCauses } from '../messages';
import { type Child, h } from './nodes';
import type { Entry } from './tree';

/** @param path where the cause stands in what the page was sent */
export function causeEntry(cause: Cause, path: string, more: readonly MoreCauses[], above = ''): Entry {
  const key = `${above}/${cause.name} ${cause.signal}@${cause.step}`;
  return { key, path, label: labelOf(cause), said: spoken(cause), tip: tipOf(cause), children: childrenOf(cause, path, more, key) };
}

function childrenOf(cause: Cause, path: string, more: readonly MoreCauses[], key: string): Entry[] | undefined {
  if (cause.cut !== true) return cause.causes.map((one, index) => causeEntry(one, `${path}.causes.${index}`, more, key));
  const found = more.findIndex(({ signal, step }) => signal === cause.signal && step === cause.step);
  return found < 0 ? undefined : more[found]!.causes.map((one, index) => causeEntry(one, `more.${found}.causes.${index}`, more, key));
}

function labelOf(cause: Cause): Child[] {
  const { name, value, at, formula = '' } = cause;
  const rest = [at === '' ? 'fails in the loop' : at, noteOf(cause), name === formula ? '' : formula].filter((part) => part !== '').join(' · ');
  return [h('code', {}, name), ...(at === '' ? [] : [' = ', h('span', { class: 'value' }, value)]), h('span', { class: 'faint' }, ` · ${rest}`)];
}

/** In words, for screen readers. */
export function spoken(cause: Cause): string {
  const { name, value, at } = cause;
  const note = noteOf(cause);
  return `${at === '' ? `${name} fails in the loop` : `${name} is ${value} at ${at}`}${note === '' ? '' : `, ${note}`}`;
}

function noteOf({ repeated, reason, location }: Cause): string {
  return [repeated === true ? 'causes as above' : reason, location === null ? 'not in the text' : ''].filter((part) => part !== '').join(', ');
}

const listed = 8; // causes in a tooltip

function tipOf(cause: Cause): string {
  const { causes, formula } = cause;
  const what = `${spoken(cause)}${formula === undefined ? '' : `, which is ${formula}`}`;
  if (causes.length === 0) return what;
  const more = causes.length > listed ? [`and ${causes.length - listed} more`] : [];
  return [`${what}, because`, ...causes.slice(0, listed).map((one) => `– ${spoken(one)}`), ...more].join('\n');
}
